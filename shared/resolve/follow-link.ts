import { isProtected, type LinkRules, rulesOf } from '../records/link-rules.js';
import type { LinkRecord, Utm } from '../records/records.js';
import { linkState } from './link-state.js';
import {
  RESOLUTION_OUTCOMES,
  type Resolution,
  type ResolutionSettings,
  type ResolutionSubject,
  type ResolutionTrace,
  resolveVisit,
  type VisitContext,
} from './resolve-visit.js';
import { utmParameters } from './utm.js';

/** Why a link is not followed. */
export const STOP_OUTCOMES = ['not_found', 'scheduled', 'disabled', 'expired', 'deleted', 'blocked'] as const;
export type StopOutcome = (typeof STOP_OUTCOMES)[number];

/** The possible outcomes of a visit to a short URL. */
export const OUTCOMES = [...RESOLUTION_OUTCOMES, ...STOP_OUTCOMES] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The HTTP status of each. The link host sends it, and the testers of the API name it. */
export const OUTCOME_STATUS: Readonly<Record<Outcome, number>> = {
  redirect: 302,
  to_open_page: 302,
  to_store: 302,
  to_link: 302,
  open_page: 200,
  app_page: 200,
  no_destination: 200,
  card: 200,
  preview_redirect: 302,
  not_found: 404,
  scheduled: 404,
  disabled: 404,
  expired: 410,
  deleted: 410,
  blocked: 403,
};

/** The page that asks for the password of a link. Visitors who know it get one of the outcomes above. */
export const PASSWORD_PAGE = { outcome: 'password_page', status: 401 } as const;

/** The environment whose defaults apply to the link. */
export interface LinkSurroundings {
  readonly settings: ResolutionSettings;
  /** The fields of the environment's campaigns by their keys. */
  readonly campaigns: ReadonlyMap<string, Utm>;
}

/** Who follows a link, and how: everything in the context of a visit that the link does not bring itself. */
export interface LinkVisit extends Omit<VisitContext, 'utm' | 'now_ms'> {
  /** ISO 3166-1 alpha-2; '' if it is not known. */
  readonly country: string;
}

export type LinkAnswer =
  | { readonly kind: 'stop'; readonly outcome: StopOutcome }
  | {
      readonly kind: 'resolved';
      readonly resolution: Resolution;
      /** The link as the visitor follows it, with the destination for their country. */
      readonly subject: ResolutionSubject;
      /** The rules that must admit the visitor first; null if everybody is admitted. */
      readonly protection: LinkRules | null;
    };

/**
 * Returns what the link answers; `link` is null if there is none. This function answers every visit of a link and every
 * question of the link tester, which calls it with a `trace`. The state takes precedence over everything else, and a
 * destination on the block list over the rules that admit visitors. A campaign that is not in the surroundings gives no
 * fields. Pure: the same arguments give the same answer.
 */
export function followLink(
  link: LinkRecord | null,
  visit: LinkVisit,
  { settings, campaigns }: LinkSurroundings,
  { nowMs, trace }: { readonly nowMs: number; readonly trace?: ResolutionTrace },
): LinkAnswer {
  if (link === null) return { kind: 'stop', outcome: 'not_found' };
  const rules = rulesOf(link);
  const state = linkState(link, rules, nowMs);
  if (state !== 'active') return { kind: 'stop', outcome: state };
  const { visitor, query, host_role } = visit;
  const context = { visitor, query, now_ms: nowMs, host_role, utm: linkUtm(link, campaigns) };
  if (rules === null) return answerOf(resolveVisit(context, link, settings, trace), link, null);
  const subject = subjectIn(visit.country, link, rules);
  const resolution = resolveVisit(context, subject, settingsOf(settings, rules), trace);
  if (resolution.outcome === 'blocked' || !isProtected(rules)) return answerOf(resolution, subject, null);
  // Only visitors who are admitted may see where the link leads.
  return answerOf(
    visitor.preview_bot ? { ...resolution, outcome: 'card', destination: '', destination_kind: '' } : resolution,
    subject,
    rules,
  );
}

function answerOf(resolution: Resolution, subject: ResolutionSubject, protection: LinkRules | null): LinkAnswer {
  return resolution.outcome === 'blocked'
    ? { kind: 'stop', outcome: resolution.outcome }
    : { kind: 'resolved', resolution, subject, protection };
}

/**
 * Returns the rules that must admit a visitor before the resolution is answered. There are none for a preview bot, which sees
 * only what is for everybody, and none on the way from the open host to the link.
 */
export function entryRules({ outcome }: Pick<Resolution, 'outcome'>, protection: LinkRules | null): LinkRules | null {
  return outcome === 'card' || outcome === 'to_link' ? null : protection;
}

/** Returns what a visitor from the country follows. The country's destination replaces those of a browser, but not those of an app. */
export function subjectIn(country: string, link: LinkRecord, { geo }: Pick<LinkRules, 'geo'>): ResolutionSubject {
  const url = geo !== null && Object.hasOwn(geo, country) ? (geo[country] as string) : null;
  return url === null ? link : { ...link, destinations: { ...link.destinations, web: url, desktop: url, fallback: url } };
}

/** The settings that apply to the link. */
export function settingsOf(settings: ResolutionSettings, rules: LinkRules): ResolutionSettings {
  const interstitial = isProtected(rules) ? false : (rules.interstitial ?? settings.interstitial);
  return interstitial === settings.interstitial ? settings : { ...settings, interstitial };
}

/** The link's effective UTM parameters: each field its own, else its campaign's. */
export function linkUtm(link: LinkRecord, campaigns: ReadonlyMap<string, Utm>): ReturnType<typeof utmParameters> {
  return utmParameters(link.utm, link.campaign === null ? null : (campaigns.get(link.campaign) ?? null));
}
