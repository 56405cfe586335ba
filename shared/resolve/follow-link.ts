import type { LinkRecord, Utm } from '../records/records.js';
import { linkState } from './link-state.js';
import {
  RESOLUTION_OUTCOMES,
  type Resolution,
  type ResolutionSettings,
  type ResolutionTrace,
  resolveVisit,
  type VisitContext,
} from './resolve-visit.js';
import { utmParameters } from './utm.js';

/** Why a link is not followed. */
export const STOP_OUTCOMES = ['not_found', 'disabled', 'expired', 'deleted', 'blocked'] as const;
export type StopOutcome = (typeof STOP_OUTCOMES)[number];

/** What a short URL answers. */
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
  disabled: 404,
  expired: 410,
  deleted: 410,
  blocked: 403,
};

/** Whose defaults the link takes. */
export interface LinkSurroundings {
  readonly settings: ResolutionSettings;
  /** The fields of the environment's campaigns by their keys. */
  readonly campaigns: ReadonlyMap<string, Utm>;
}

/** Who follows a link, and how: everything of the context of a visit that the link does not bring itself. */
export type LinkVisit = Omit<VisitContext, 'utm' | 'now_ms'>;

export type LinkAnswer = { readonly kind: 'stop'; readonly outcome: StopOutcome } | { readonly kind: 'lead'; readonly lead: Resolution };

/**
 * What the link answers; `link` is null if there is none. Every visit of a link is answered by this function, and so
 * is every question of the link tester, which asks it with a `trace`. State goes before everything else. A campaign the
 * surroundings do not know gives no fields. Pure: the same arguments give the same answer.
 */
export function followLink(
  link: LinkRecord | null,
  visit: LinkVisit,
  { settings, campaigns }: LinkSurroundings,
  { nowMs, trace }: { readonly nowMs: number; readonly trace?: ResolutionTrace },
): LinkAnswer {
  if (link === null) return { kind: 'stop', outcome: 'not_found' };
  const state = linkState(link, nowMs);
  if (state !== 'active') return { kind: 'stop', outcome: state };
  const { visitor, query, host_role } = visit;
  const context = { visitor, query, now_ms: nowMs, host_role, utm: linkUtm(link, campaigns) };
  const lead = resolveVisit(context, link, settings, trace);
  return lead.outcome === 'blocked' ? { kind: 'stop', outcome: lead.outcome } : { kind: 'lead', lead };
}

/** The link's effective UTM parameters: each field its own, else its campaign's. */
export function linkUtm(link: LinkRecord, campaigns: ReadonlyMap<string, Utm>): ReturnType<typeof utmParameters> {
  return utmParameters(link.utm, link.campaign === null ? null : (campaigns.get(link.campaign) ?? null));
}
