import { chooseClick } from '../../shared/attribution/choose-click.js';
import { isAppPlatform, type MatchSubject, matchFacts, matchKey } from '../../shared/attribution/match-key.js';
import { clipboardClickId, referrerClickId } from '../../shared/attribution/named-click.js';
import { parseOsVersion } from '../../shared/attribution/os-version.js';
import type { MatchType, OpenReason } from '../../shared/attribution/outcome.js';
import type { IsUnmatchable } from '../../shared/attribution/unmatchable-networks.js';
import { idTimeMs, idToUuid } from '../../shared/base/ids.js';
import { CANDIDATE_CLICKS_MAX, CLIPBOARD_TOKEN_MINUTES, PLAY_REFERRER_DAYS } from '../../shared/base/limits.js';
import type { SdkOpen } from '../../shared/contract/schemas/sdk.js';
import type { EnvironmentRecord } from '../../shared/feed/records.js';
import { networkOf } from '../../shared/net/address.js';
import type { Queryable } from '../db/database.js';
import * as sql from './sql.js';

/** A click carries the time of the host that answered it, whose clock may be ahead of ours. */
const CLOCKS_APART_MS_MAX = 60_000;

/** A click that the app names. */
export interface NamedClick {
  readonly rule: Extract<MatchType, 'play_referrer' | 'clipboard'>;
  /** As `uuid` text. */
  readonly id: string;
  readonly occurredMs: number;
  readonly ageMsMax: number;
}

/** What a first open can be matched by, besides its URL. */
export interface OpenEvidence {
  readonly environment: Pick<EnvironmentRecord, 'id' | 'number'>;
  /** In the order in which they are asked. */
  readonly named: readonly NamedClick[];
  /** Null where the open has nothing that a click could have in common with it; `unmatchable` says what is missing. */
  readonly search: ClickSearch | null;
  readonly unmatchable: OpenReason | null;
}

interface ClickSearch extends MatchSubject {
  readonly since: Date;
  readonly until: Date;
}

/** Reads an open's evidence. `environment` is the caller's. Looks nothing up. */
export function readEvidence(
  body: SdkOpen,
  environment: EnvironmentRecord,
  { address, isUnmatchable, nowMs }: { readonly address: string; readonly isUnmatchable: IsUnmatchable; readonly nowMs: number },
): OpenEvidence {
  const { os, os_version } = body.device;
  const version = parseOsVersion(os_version ?? '');
  const network = isUnmatchable(address) ? null : networkOf(address);
  const since = new Date(nowMs - environment.attribution_window_minutes * 60_000);
  const until = new Date(nowMs + CLOCKS_APART_MS_MAX);
  const known = isAppPlatform(os) && version !== null;
  return {
    environment,
    named: [
      ...namedClick('play_referrer', referrerClickId(body.play_referrer ?? ''), PLAY_REFERRER_DAYS * 86_400_000),
      ...namedClick('clipboard', clipboardClickId(body.clipboard ?? ''), CLIPBOARD_TOKEN_MINUTES * 60_000),
    ],
    search:
      known && network !== null ? { network, environmentNumber: environment.number, facts: matchFacts(os, version), since, until } : null,
    unmatchable: network === null ? 'address_not_matchable' : known ? null : 'os_version_unknown',
  };
}

function namedClick(rule: NamedClick['rule'], clickId: string | null, ageMsMax: number): readonly NamedClick[] {
  if (clickId === null) return [];
  return [{ rule, id: idToUuid('click', clickId) as string, occurredMs: idTimeMs('click', clickId) as number, ageMsMax }];
}

export type ClickMatch =
  | { readonly kind: 'click'; readonly rule: MatchType; readonly click: sql.OpenClick; readonly matchedFactors: readonly string[] }
  | { readonly kind: 'none'; readonly reason: OpenReason };

const NAMED_FACTORS: Readonly<Record<NamedClick['rule'], readonly string[]>> = {
  play_referrer: ['click_id'],
  clipboard: ['clipboard_token'],
};

/**
 * The click an open belongs to: a named one, in their order, else the only one that fits. It is not taken yet. Where there
 * is none, that several fit goes before what was wrong with a named click, and that before what there was nothing of.
 */
export async function matchClick(
  database: Queryable,
  evidence: OpenEvidence,
  device: SdkOpen['device'],
  nowMs: number,
): Promise<ClickMatch> {
  let refused: OpenReason | null = null;
  for (const named of evidence.named) {
    const found = await findNamed(database, evidence, named, nowMs);
    if (typeof found === 'object') return { kind: 'click', rule: named.rule, click: found, matchedFactors: NAMED_FACTORS[named.rule] };
    refused ??= found;
  }
  if (evidence.search === null) return { kind: 'none', reason: refused ?? (evidence.unmatchable as OpenReason) };
  const facts = { language: device.language ?? null, model: device.model ?? null, screen: device.screen ?? null };
  const choice = chooseClick(await findCandidates(database, evidence.search), facts);
  if (choice.kind === 'one') return { kind: 'click', rule: 'probabilistic', click: choice.click, matchedFactors: choice.matchedFactors };
  return { kind: 'none', reason: choice.kind === 'ambiguous' ? 'ambiguous' : (refused ?? 'no_candidate') };
}

async function findNamed(
  database: Queryable,
  { environment }: OpenEvidence,
  { id, occurredMs, ageMsMax }: NamedClick,
  nowMs: number,
): Promise<sql.OpenClick | OpenReason> {
  if (nowMs - occurredMs > ageMsMax) return 'click_expired';
  if (occurredMs - nowMs > CLOCKS_APART_MS_MAX) return 'click_unknown';
  const click = await sql.findOpenClick(database, environment.number, id, new Date(occurredMs));
  if (click !== null) return click;
  return (await sql.isClickUsed(database, environment.id, id)) ? 'click_used' : 'click_unknown';
}

/** One more than are looked at, so that a crowd is seen to be one. */
async function findCandidates(database: Queryable, search: ClickSearch): Promise<readonly sql.OpenClick[]> {
  const keys = await sql.readAddressKeys(database, search.since);
  const matchKeys = keys.map((key) => matchKey(key, search).toString());
  return matchKeys.length === 0 ? [] : sql.listCandidates(database, matchKeys, search, CANDIDATE_CLICKS_MAX + 1);
}
