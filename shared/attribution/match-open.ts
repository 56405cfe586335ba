import { idTimeMs, isId } from '../base/ids.js';
import { INSTANT_MAX_MS } from '../base/instant.js';
import { CANDIDATE_CLICKS_MAX, CANDIDATE_CLICKS_OF_VISIT_MAX, CLIPBOARD_TOKEN_MINUTES, PLAY_REFERRER_DAYS } from '../base/limits.js';
import { networkOf } from '../net/address.js';
import { type CandidateClick, chooseClick, type DeviceFacts, isOneVisit } from './choose-click.js';
import { isAppPlatform, type MatchSubject, matchFacts } from './match-key.js';
import { clipboardClickId, referrerClickId } from './named-click.js';
import { parseOsVersion } from './os-version.js';
import type { MatchType, OpenReason } from './outcome.js';
import type { IsUnmatchable } from './unmatchable-networks.js';

/**
 * The rules of a first open, apart from its URL. The control plane, which keeps the clicks, uses them, and so does the
 * simulation of the bench.
 */

/** A click carries the time of the host that answered it, whose clock may be ahead of ours. */
const CLOCKS_APART_MS_MAX = 60_000;

/** A click that the app names. */
export interface NamedClick {
  readonly rule: Extract<MatchType, 'play_referrer' | 'clipboard'>;
  /** `clk_...` */
  readonly id: string;
  readonly occurredMs: number;
  readonly ageMsMax: number;
}

/** What candidates have in common with the open. */
export interface ClickSearch extends MatchSubject {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** The evidence by which a first open can be matched. */
export interface OpenEvidence {
  readonly nowMs: number;
  /** In the order in which they are tried. */
  readonly named: readonly NamedClick[];
  readonly device: DeviceFacts;
  /** Null if the open has nothing that a click could have in common with it; `unmatchable` says what is missing. */
  readonly search: ClickSearch | null;
  readonly unmatchable: OpenReason | null;
}

/** What an app reports about its first open. */
export interface ReportedOpen {
  readonly play_referrer?: string | null;
  readonly clipboard?: string | null;
  readonly device: {
    readonly os: string;
    readonly os_version?: string | null;
    readonly language?: string | null;
    readonly model?: string | null;
    readonly screen?: string | null;
  };
}

/** Where and when it was reported. */
export interface OpenSurroundings {
  readonly environment: { readonly number: number; readonly attribution_window_minutes: number };
  /** Address of the app. */
  readonly address: string;
  readonly isUnmatchable: IsUnmatchable;
  readonly nowMs: number;
}

/** Reads an open's evidence. Looks nothing up. */
export function readEvidence({ play_referrer, clipboard, device }: ReportedOpen, surroundings: OpenSurroundings): OpenEvidence {
  const { environment, address, isUnmatchable, nowMs } = surroundings;
  const version = parseOsVersion(device.os_version ?? '');
  const network = isUnmatchable(address) ? null : networkOf(address);
  const window = { sinceMs: nowMs - environment.attribution_window_minutes * 60_000, untilMs: nowMs + CLOCKS_APART_MS_MAX };
  const facts = isAppPlatform(device.os) && version !== null ? matchFacts(device.os, version) : null;
  return {
    nowMs,
    named: [
      ...namedClick('play_referrer', referrerClickId(play_referrer ?? ''), PLAY_REFERRER_DAYS * 86_400_000),
      ...namedClick('clipboard', clipboardClickId(clipboard ?? ''), CLIPBOARD_TOKEN_MINUTES * 60_000),
    ],
    device: { language: device.language ?? null, model: device.model ?? null, screen: device.screen ?? null },
    search: network === null || facts === null ? null : { environmentNumber: environment.number, network, facts, ...window },
    unmatchable: network === null ? 'address_not_matchable' : facts === null ? 'os_version_unknown' : null,
  };
}

function namedClick(rule: NamedClick['rule'], id: string | null, ageMsMax: number): readonly NamedClick[] {
  return id === null || !isId('click', id) ? [] : [{ rule, id, occurredMs: idTimeMs('click', id) ?? INSTANT_MAX_MS, ageMsMax }];
}

/**
 * The clicks of one environment that may have led to the app. Those found by what they have in common with an open are
 * clicks of people on phones, and on what may be an iPad.
 */
export interface OpenClicks<Click extends CandidateClick> {
  /** Returns the click with the id, unless it has been used. */
  find(named: NamedClick): Promise<Click | null>;
  /** Whether an installation of the environment has used it. */
  isUsed(named: NamedClick): Promise<boolean>;
  /** Returns unused clicks that have all of it in common with the open, at most `limit`, in any order. */
  candidates(search: ClickSearch, limit: number): Promise<readonly Click[]>;
}

export type ClickMatch<Click> =
  | { readonly kind: 'click'; readonly rule: MatchType; readonly click: Click; readonly matchedFactors: readonly string[] }
  | { readonly kind: 'none'; readonly reason: OpenReason };

const NAMED_FACTORS: Readonly<Record<NamedClick['rule'], readonly string[]>> = {
  play_referrer: ['click_id'],
  clipboard: ['clipboard_token'],
};

/**
 * Returns the click that an open belongs to: a named one, in their order, else the only one that fits. It is not taken
 * yet. If there is none, the reason that several fit takes precedence over what was wrong with a named click, and that
 * over what was missing.
 */
export async function matchClick<Click extends CandidateClick>(
  clicks: OpenClicks<Click>,
  evidence: OpenEvidence,
): Promise<ClickMatch<Click>> {
  let refused: OpenReason | null = null;
  for (const named of evidence.named) {
    const found = await findNamed(clicks, named, evidence.nowMs);
    if (typeof found === 'object') return { kind: 'click', rule: named.rule, click: found, matchedFactors: NAMED_FACTORS[named.rule] };
    refused ??= found;
  }
  if (evidence.search === null) return { kind: 'none', reason: refused ?? (evidence.unmatchable as OpenReason) };
  const choice = chooseClick(await readCandidates(clicks, evidence.search), evidence.device);
  if (choice.kind === 'one') return { kind: 'click', rule: 'probabilistic', click: choice.click, matchedFactors: choice.matchedFactors };
  return { kind: 'none', reason: choice.kind === 'ambiguous' ? 'ambiguous' : (refused ?? 'no_candidate') };
}

/** Reads one candidate more than is considered, so that too many are recognised as such. */
async function readCandidates<Click extends CandidateClick>(clicks: OpenClicks<Click>, search: ClickSearch): Promise<readonly Click[]> {
  const found = await clicks.candidates(search, CANDIDATE_CLICKS_MAX + 1);
  const mayBeOneVisit = found.length > CANDIDATE_CLICKS_MAX && isOneVisit(found);
  return mayBeOneVisit ? clicks.candidates(search, CANDIDATE_CLICKS_OF_VISIT_MAX + 1) : found;
}

async function findNamed<Click extends CandidateClick>(
  clicks: OpenClicks<Click>,
  named: NamedClick,
  nowMs: number,
): Promise<Click | OpenReason> {
  if (nowMs - named.occurredMs > named.ageMsMax) return 'click_expired';
  if (named.occurredMs - nowMs > CLOCKS_APART_MS_MAX) return 'click_unknown';
  return (await clicks.find(named)) ?? ((await clicks.isUsed(named)) ? 'click_used' : 'click_unknown');
}
