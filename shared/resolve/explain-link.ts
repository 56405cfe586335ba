import { isProtected, type LinkRules, rulesOf } from '../records/link-rules.js';
import type { DomainRecord, LinkRecord } from '../records/records.js';
import { aliasStep, ownPageStep, resolutionSteps, type TraceStep } from './explain-resolution.js';
import type { TriedPath } from './explain-template.js';
import {
  entryRules,
  followLink,
  type LinkSurroundings,
  linkUtm,
  OUTCOME_STATUS,
  type Outcome,
  PASSWORD_PAGE,
  type StopOutcome,
  settingsOf,
  subjectIn,
} from './follow-link.js';
import type { HostRole } from './hosts.js';
import { reservedAddress, shortPath } from './link-addresses.js';
import type { ReadLongLink } from './long-link.js';
import { ownPage } from './own-page.js';
import { passedParameters } from './passthrough.js';
import type { Visitor } from './recognise-visitor.js';
import { newResolutionTrace, type Resolution, type VisitedHost } from './resolve-visit.js';

/** A question about a short URL or path. */
export interface LinkQuestion {
  readonly tried: TriedPath;
  /** Which of the environment's two kinds of host is asked; null if the URL's host is neither. */
  readonly host_role: HostRole | null;
  /** The settings of a custom host; null for any other host. */
  readonly domain: DomainRecord | null;
  readonly visitor: Visitor;
  /** ISO 3166-1 alpha-2; '' if it is not known. */
  readonly country: string;
}

/** Where the path leads, before any link is looked up. */
export type LinkAddress =
  | { readonly kind: 'link'; readonly path: string; readonly steps: readonly TraceStep[] }
  | { readonly kind: 'reserved' | 'no_link' | 'unknown_host'; readonly steps: readonly TraceStep[]; readonly detail: string };

/** What the lookup of links found for the address. */
export interface AddressFound {
  /** The path in lower case if it is followed instead of the requested one, else null. */
  readonly lower: string | null;
  /** The path of the link that has the address as an alias; null if none has. */
  readonly aliased: string | null;
}

/** Returns the short path that is asked for, using the functions that read it on a visit. `long` is the address read as a long link. */
export function addressOf(
  { tried, host_role }: Pick<LinkQuestion, 'tried' | 'host_role'>,
  { lower, aliased }: AddressFound,
  long: ReadLongLink,
): LinkAddress {
  const { host, query } = tried;
  const steps: TraceStep[] = [
    { rule: 'url', inputs: { host, path: tried.path, query }, detail: 'The text was converted to the form that a browser sends.' },
  ];
  const end = (kind: 'reserved' | 'no_link' | 'unknown_host', rule: string, inputs: TraceStep['inputs'], detail: string): LinkAddress => ({
    kind,
    steps: [...steps, { rule, inputs, detail }],
    detail,
  });
  if (host_role === null)
    return end('unknown_host', 'host', { host, host_role }, 'The host of the URL does not belong to this environment.');
  if (host !== null)
    steps.push({ rule: 'host', inputs: { host, host_role }, detail: `The host is the ${host_role} host of this environment.` });
  const reserved = reservedAddress(tried.path);
  if (reserved !== null)
    return end('reserved', 'reserved_address', { path: tried.path, address: reserved }, 'The link host uses this address itself.');
  const path = lower ?? tried.path;
  if (lower !== null) steps.push({ rule: 'lower_case', inputs: { path: tried.path, lower_path: lower }, detail: LOWER_CASE_DETAIL });
  if (aliased !== null) return { kind: 'link', path: aliased, steps: [...steps, aliasStep(path, aliased)] };
  if (long.kind === 'refused') return end('no_link', 'long_link', { path }, `The long link leads nowhere (404). ${long.detail}`);
  if (long.kind === 'long_link') {
    const inputs = { link_path: long.path, destinations: long.content.destinations };
    const detail = 'It is a long link: a visit to the link set in the environment (long_link_path), with the destinations from the query.';
    return { kind: 'link', path: long.path, steps: [...steps, { rule: 'long_link', inputs, detail }] };
  }
  const short = shortPath(path);
  if (short === '')
    return end(
      'no_link',
      'short_path',
      { path, short_path: null },
      'No link can have this path. To test URL templates, use their own test.',
    );
  steps.push({ rule: 'short_path', inputs: { path, short_path: short }, detail: 'It is a path that a link can have.' });
  return { kind: 'link', path: short, steps };
}

const LOWER_CASE_DETAIL = 'The path leads nowhere as it is. This host ignores case, so the path was tried in lower case.';

export interface LinkExplanation {
  readonly outcome: Outcome | typeof PASSWORD_PAGE.outcome;
  /** The HTTP status visitors get. */
  readonly status: number;
  /** Null if the link leads nowhere. For a link with a password, this is where visitors who know it are led. */
  readonly resolution: Resolution | null;
  /** Where the owner of the host sends visitors instead of showing a page for the outcome; null if the owner sends them nowhere. */
  readonly page_url: string | null;
  /** What the app receives of the URL's query; null if it receives nothing. */
  readonly params: Readonly<Record<string, string>> | null;
  readonly detail: string;
  readonly trace: readonly TraceStep[];
}

const STOP_DETAILS: Readonly<Record<StopOutcome, string>> = {
  not_found: 'There is no link at this path (404).',
  scheduled: 'The link is not active yet: until then visitors get the page for a link that does not exist (404).',
  disabled: 'The link is disabled: visitors get the page for a link that does not exist (404).',
  expired: 'The link has expired (410).',
  deleted: 'The link was deleted; its path stays taken for a while (410).',
  blocked: 'The link is blocked: its destination may be dangerous (403).',
};

/**
 * Returns what the visitor gets, from the function that answers visits (`followLink`), and every rule that fired on the
 * way. `link` is null if there is none.
 */
export function explainLink(
  { tried, host_role, domain, visitor, country }: Omit<LinkQuestion, 'host_role'> & { readonly host_role: VisitedHost },
  link: LinkRecord | null,
  surroundings: LinkSurroundings,
  nowMs: number,
): LinkExplanation {
  const resolutionTrace = newResolutionTrace();
  const { query } = tried;
  const answer = followLink(link, { visitor, query, host_role, country }, surroundings, { nowMs, trace: resolutionTrace });
  const rules = link === null ? null : rulesOf(link);
  const trace = [...linkSteps(link, rules, nowMs)];
  if (answer.kind === 'stop') {
    const { outcome } = answer;
    const page_url = ownPage(outcome, tried.path, domain);
    const status = page_url === null ? OUTCOME_STATUS[outcome] : OWN_PAGE_STATUS;
    const pageSteps = page_url === null ? [] : [ownPageStep(page_url)];
    const detail = [STOP_DETAILS[outcome], ...pageSteps.map((step) => step.detail)].join(' ');
    trace.push(...pageSteps);
    trace.push({ rule: 'answer', inputs: { outcome, status }, detail });
    return { outcome, status, resolution: null, page_url, params: null, detail, trace };
  }
  const found = link as LinkRecord;
  const { resolution } = answer;
  const context = { visitor, query, now_ms: nowMs, host_role, utm: linkUtm(found, surroundings.campaigns) };
  const subject = rules === null ? found : subjectIn(country, found, rules);
  const settings = rules === null ? surroundings.settings : settingsOf(surroundings.settings, rules);
  trace.push(...visitorSteps(visitor), ...campaignSteps(found, surroundings), ...ruleSteps(rules, country, visitor));
  const isGeneric = rules !== null && isProtected(rules);
  trace.push(...resolutionSteps({ context, subject, settings, isGeneric }, resolution, resolutionTrace));
  const asked = (entryRules(resolution, answer.protection)?.password ?? null) !== null;
  if (asked) trace.push(passwordPageStep(trace.pop() as TraceStep));
  return {
    ...(asked ? PASSWORD_PAGE : { outcome: resolution.outcome, status: OUTCOME_STATUS[resolution.outcome] }),
    resolution,
    page_url: null,
    params: passedParameters(resolution.query),
    detail: (trace.at(-1) as TraceStep).detail,
    trace,
  };
}

/** The last step for a visitor who does not know the password yet. `after` in its inputs says what visitors who know it get. */
function passwordPageStep({ rule, inputs, detail }: TraceStep): TraceStep {
  const { outcome, status } = PASSWORD_PAGE;
  const after = { outcome: inputs.outcome, destination: inputs.destination };
  return {
    rule,
    inputs: { outcome, status, after },
    detail: `The visitor gets the page that asks for the password (401). With the right password: ${detail}`,
  };
}

export const OWN_PAGE_STATUS = 302;

function linkSteps(link: LinkRecord | null, rules: LinkRules | null, nowMs: number): TraceStep[] {
  if (link === null) return [{ rule: 'link', inputs: { link_id: null }, detail: 'No link has this path.' }];
  const expires_at = link.expires_at_ms === 0 ? null : new Date(link.expires_at_ms).toISOString();
  const now = new Date(nowMs).toISOString();
  const from = rules === null || rules.active_from_ms === 0 ? {} : { active_from: new Date(rules.active_from_ms).toISOString() };
  const used = rules?.used_up === true ? { max_clicks: rules.max_clicks, used_up: true } : {};
  return [
    { rule: 'link', inputs: { link_id: link.id }, detail: 'A link has this path.' },
    {
      rule: 'state',
      inputs: { state: link.state, expires_at, ...from, ...used, now },
      detail: 'A state that somebody set takes precedence over one that results from time, and both over the destination.',
    },
  ];
}

function visitorSteps(visitor: Visitor): TraceStep[] {
  const { platform, os_version, in_app_browser, preview_bot, bot_reason } = visitor;
  const who = preview_bot
    ? 'This is a preview bot: its visit is not a click.'
    : bot_reason === ''
      ? 'A person.'
      : 'This is a bot: its click counts as a bot’s.';
  return [
    {
      rule: 'visitor',
      inputs: { platform, os_version: os_version || null, in_app_browser: in_app_browser || null, preview_bot, bot: bot_reason !== '' },
      detail: who,
    },
  ];
}

/** The steps of the link's rules for a visitor who finds the link active. */
function ruleSteps(rules: LinkRules | null, country: string, { preview_bot }: Visitor): TraceStep[] {
  if (rules === null) return [];
  const steps: TraceStep[] = [];
  const { password, max_clicks, geo, interstitial } = rules;
  if (password !== null)
    steps.push({
      rule: 'password',
      inputs: {},
      detail: preview_bot
        ? 'A preview bot is not asked for the password.'
        : 'The visitor is asked for the password first (401), and then gets what follows.',
    });
  if (max_clicks !== null) {
    const detail = preview_bot
      ? 'A preview does not use up a click. If no click is left, the link has expired (410).'
      : 'The click is counted before the visitor is redirected. If no click is left, the link has expired (410).';
    steps.push({ rule: 'max_clicks', inputs: { max_clicks }, detail });
  }
  if (geo !== null) {
    const found = Object.hasOwn(geo, country);
    const detail = found ? 'The destination for the country replaces those for browsers.' : 'The link has no destination for the country.';
    steps.push({ rule: 'geo', inputs: { country: country || null, countries: Object.keys(geo) }, detail });
  }
  if (interstitial !== null || isProtected(rules)) {
    const detail = isProtected(rules)
      ? 'Links with a password or a click limit do not use the open host.'
      : 'The link has its own setting for whether phones are sent to the open host.';
    steps.push({ rule: 'link_interstitial', inputs: { interstitial: isProtected(rules) ? false : interstitial }, detail });
  }
  return steps;
}

function campaignSteps(link: LinkRecord, { campaigns }: LinkSurroundings): TraceStep[] {
  if (link.campaign === null) return [];
  const fields = campaigns.get(link.campaign) ?? null;
  const detail = fields === null ? 'The campaign sets no UTM fields.' : 'Each UTM field comes from the link, or else from the campaign.';
  return [{ rule: 'campaign', inputs: { campaign: link.campaign, own: link.utm, campaign_fields: fields }, detail }];
}
