import { uuidToId } from '../../shared/base/ids.js';
import type { SdkResolved } from '../../shared/contract/schemas/sdk.js';
import { destinationsFromJson } from '../../shared/feed/codec.js';
import type { EnvironmentRecord, LinkRecord } from '../../shared/records/records.js';
import { splitClickId } from '../../shared/resolve/click-id.js';
import { chooseDestination, type DestinationSubject } from '../../shared/resolve/destination.js';
import { personOn } from '../../shared/resolve/explain-resolution.js';
import { explainPath, readTriedPath, type TriedPath } from '../../shared/resolve/explain-template.js';
import { followLink, type StopOutcome } from '../../shared/resolve/follow-link.js';
import type { HostRole } from '../../shared/resolve/hosts.js';
import { reservedAddress } from '../../shared/resolve/link-addresses.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { type LongLink, readLongLink } from '../../shared/resolve/long-link.js';
import { matchTemplate } from '../../shared/resolve/match.js';
import { passedParameters } from '../../shared/resolve/passthrough.js';
import { namesOf } from '../../shared/resolve/query.js';
import { renderContent } from '../../shared/resolve/render.js';
import { resolveVisit } from '../../shared/resolve/resolve-visit.js';
import { itemOf } from '../../shared/resolve/template-route.js';
import type { Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import type { Caller } from '../http/authenticate.js';
import { linkOfRow, linkStatus } from '../links/link-row.js';
import { findLongLink, triedLongLink } from '../links/long-link.js';
import { findClickedLink, findLink } from '../links/sql.js';
import { findTriedHost, findTriedLink, type TriedHost } from '../links/tried-url.js';
import { viewOf } from '../links/view.js';
import { findClickedTemplate, listTriedTemplates } from '../url-templates/sql.js';
import { leadsToTemplate, routeOfRow, templateMatcher } from '../url-templates/template-matcher.js';
import type { OpenClick } from './sql.js';

/** What an app receives: the link or the item, and what to show of it. */
export type Delivered = Omit<SdkResolved, 'deep_link_path'> & { readonly deep_link_path: string | null };

/** The app was opened by nothing that exists, or by something that leads nowhere now. */
export const NOTHING_DELIVERED: Delivered = { link: null, resource: null, deep_link_path: null, data: null, params: null };

/** For which caller an open is resolved, and when. */
export interface Opening {
  readonly caller: Caller;
  readonly nowMs: number;
  readonly form: LinkUrlForm;
}

/** A click that a URL carries, before it is looked up. */
export interface CarriedClick {
  readonly environmentNumber: number;
  readonly clickId: string;
}

export type ResolvedUrl =
  | {
      readonly kind: 'found';
      readonly delivered: SdkResolved;
      /** The click that the URL carries; the page that opens the app adds it. Null for none. */
      readonly click: CarriedClick | null;
    }
  | NowhereUrl;

/** A URL that leads nowhere now. */
export interface NowhereUrl {
  readonly kind: 'nothing';
  /** A sentence that says why. */
  readonly detail: string;
  /** The link at the URL, whatever has become of it; null if there is none. */
  readonly link_id: string | null;
  readonly path: string;
  readonly click: CarriedClick | null;
}

const nothing = (detail: string, link_id: string | null = null): NowhereUrl => ({
  kind: 'nothing',
  detail,
  link_id,
  path: '',
  click: null,
});

/** Resolves a URL that opened the app, with the same functions that answer visitors of the URL. */
export async function resolveUrl(database: Queryable, opening: Opening, url: string): Promise<ResolvedUrl> {
  const tried = readTriedPath(url);
  if (tried === null || tried.host === null) return nothing('The text is not an http(s) URL.');
  const settings = await readEnvironmentRecord(database, opening.caller.environment.id);
  const host = await findTriedHost(database, settings, tried.host);
  if (host === null) return nothing('The host of the URL does not belong to this environment.');
  if (reservedAddress(tried.path) !== null) return nothing('The link host uses this address itself.');
  const resolved = await resolveTried(database, opening, { tried, host, settings });
  const { clickId } = splitClickId(tried.query);
  const click = clickId === '' ? null : { environmentNumber: settings.number, clickId };
  return resolved.kind === 'nothing' ? { ...resolved, path: tried.path, click } : { ...resolved, click };
}

/** Resolves in the same order as the link host: first aliases, then paths, then templates. */
async function resolveTried(
  database: Queryable,
  opening: Opening,
  { tried, host, settings }: { readonly tried: TriedPath; readonly host: TriedHost; readonly settings: EnvironmentRecord },
): Promise<ResolvedSubject> {
  const { id } = opening.caller.environment;
  const context = { path: tried.path, query: tried.query, host_role: host.role, settings };
  const found = await findTriedLink(database, { settings, leadsToTemplate }, tried, host);
  if (found !== null) return resolveLink(database, opening, context, found.record);
  const long = triedLongLink(tried, settings, host.role);
  if (long.kind === 'none') return resolveItem(database, opening, context);
  if (long.kind === 'refused') return nothing(`The long link leads nowhere. ${long.detail}`);
  const query = long.content.visit_query;
  return resolveLink(database, opening, { ...context, query }, await findLongLink(database, id, long));
}

interface UrlContext {
  readonly path: string;
  readonly query: string;
  readonly host_role: HostRole;
  readonly settings: EnvironmentRecord;
}

type ResolvedSubject = Omit<Extract<ResolvedUrl, { kind: 'found' }>, 'click'> | NowhereUrl;

const STOPS: Readonly<Record<StopOutcome, string>> = {
  not_found: 'There is no link at this path.',
  scheduled: 'The link is not active yet.',
  disabled: 'The link is disabled.',
  expired: 'The link has expired.',
  deleted: 'The link was deleted.',
  blocked: 'The link is blocked: its destination may be dangerous.',
};

const ITEM_BLOCKED = 'The item is blocked: its destination may be dangerous.';

/** The platform does not matter here, because no visitor is sent to a destination. */
const VISITOR = personOn('other');
const NO_CAMPAIGNS = new Map();

async function resolveLink(
  database: Queryable,
  opening: Opening,
  { query, host_role, settings }: UrlContext,
  record: LinkRecord | null,
): Promise<ResolvedSubject> {
  const surroundings = { settings, campaigns: NO_CAMPAIGNS };
  const answer = followLink(record, { visitor: VISITOR, query, host_role, country: '' }, surroundings, opening);
  if (answer.kind === 'resolved' && answer.protection !== null && answer.protection.password !== null)
    return nothing('The link has a password: open it in a browser.', record?.id);
  const link = answer.kind === 'resolved' ? await shownLink(database, opening, (record as LinkRecord).id) : null;
  if (answer.kind === 'stop' || link === null) return nothing(STOPS[answer.kind === 'stop' ? answer.outcome : 'deleted'], record?.id);
  const { deep_link_path, data } = record as LinkRecord;
  const content = { deep_link_path, data: data === null ? null : JSON.parse(data), params: passedParameters(answer.resolution.query) };
  return { kind: 'found', delivered: { link, resource: null, ...content } };
}

async function resolveItem(
  database: Queryable,
  opening: Opening,
  { path, query, host_role, settings }: UrlContext,
): Promise<ResolvedSubject> {
  const rows = await listTriedTemplates(database, opening.caller.environment.id, { path, archived: false });
  const { result, template, id, detail } = explainPath(templateMatcher(rows), templateMatcher([]), path);
  if (result !== 'match' || template === null || id === null) return nothing(detail);
  const resolution = resolveVisit({ visitor: VISITOR, query, now_ms: opening.nowMs, host_role, utm: [] }, itemOf(template, id), settings);
  if (resolution.outcome === 'blocked') return nothing(ITEM_BLOCKED);
  const { deep_link_path, data } = renderContent(template.content, id);
  const resource = { resource_type: template.resource_type, id, template_id: template.id };
  const content = { deep_link_path, data: data === null ? null : { ...data }, params: passedParameters(resolution.query) };
  return { kind: 'found', delivered: { link: null, resource, ...content } };
}

async function shownLink(database: Queryable, opening: Opening, id: string): Promise<Delivered['link']> {
  const row = await findLink(database, opening.caller.environment.id, id);
  if (row === null) return null;
  const { url, path, campaign } = linkOfRow(row, viewOf(opening, opening.form));
  return { id, url, path, campaign };
}

/** Whether the click was on the link or item that the URL led to before. */
export async function wasClickOn(
  database: Queryable,
  opening: Opening,
  { kind, subject_id, item_id }: ClickSubject,
  { link_id, path }: NowhereUrl,
): Promise<boolean> {
  if (kind === 'link') return link_id === uuidToId('link', subject_id);
  const row = await findClickedTemplate(database, opening.caller.environment.id, uuidToId('urlTemplate', subject_id));
  const resolving = row === null ? [] : [{ ...row, status: 'active', type_status: 'active' } as const];
  return item_id !== null && matchTemplate(templateMatcher(resolving), path).id === item_id;
}

/** The link or template of a click. */
export type ClickSubject = Pick<OpenClick, 'kind' | 'subject_id' | 'item_id' | 'params'>;

/**
 * Returns what an app receives for a click: the current content of the link or template. A link that has expired since then still
 * leads where its visitor was going. If it was disabled, blocked, deleted or archived, the result has its identity, and no content.
 */
export async function deliveredByClick(database: Queryable, opening: Opening, click: ClickSubject): Promise<Delivered> {
  const params = click.params === null ? null : passedParameters(click.params);
  return click.kind === 'link' ? byLink(database, opening, click, params) : byItem(database, opening, click, params);
}

async function byLink(database: Queryable, opening: Opening, click: ClickSubject, params: Delivered['params']): Promise<Delivered> {
  const id = uuidToId('link', click.subject_id);
  const row = await findClickedLink(database, opening.caller.environment.id, id);
  if (row === null) return NOTHING_DELIVERED;
  const { url, path, campaign } = linkOfRow(row, viewOf(opening, opening.form));
  const link = { id, url, path, campaign };
  const subject = { destinations: destinationsFromJson(row.destinations ?? {}), deep_link_path: row.deep_link_path ?? '' };
  if (!['active', 'expired'].includes(linkStatus(row, opening.nowMs)) || (await isBlocked(database, opening, subject)))
    return { ...NOTHING_DELIVERED, link };
  const stored = { link, resource: null, deep_link_path: row.deep_link_path, data: row.data, params };
  const long = click.params === null ? null : await clickedLongLink(database, opening, row.path, click.params);
  if (long === null) return stored;
  const passed = row.allow_param_passthrough ? passedParameters(long.visit_query) : null;
  return { ...stored, deep_link_path: long.deep_link_path, params: passed };
}

/** The long link that was clicked on; null if it was the link itself, or if long links have been turned off since. */
async function clickedLongLink(database: Queryable, opening: Opening, path: string, query: string): Promise<LongLink | null> {
  if (!namesOf(query).has('link')) return null;
  const read = readLongLink(query, await readEnvironmentRecord(database, opening.caller.environment.id));
  return read.kind === 'long_link' && read.path === path ? read.content : null;
}

async function byItem(database: Queryable, opening: Opening, click: ClickSubject, params: Delivered['params']): Promise<Delivered> {
  const row = await findClickedTemplate(database, opening.caller.environment.id, uuidToId('urlTemplate', click.subject_id));
  const route = row === null ? null : routeOfRow(row);
  if (route === null || click.item_id === null) return NOTHING_DELIVERED;
  const { template } = route;
  const resource = { resource_type: template.resource_type, id: click.item_id, template_id: template.id };
  if (route.state !== 'active' || (await isBlocked(database, opening, itemOf(template, click.item_id))))
    return { ...NOTHING_DELIVERED, resource };
  const { deep_link_path, data } = renderContent(template.content, click.item_id);
  return { link: null, resource, deep_link_path, data: data === null ? null : { ...data }, params };
}

/** Whether its visitors get the page for blocked destinations instead of being redirected. */
async function isBlocked(database: Queryable, opening: Opening, subject: DestinationSubject): Promise<boolean> {
  const { default_destinations } = await readEnvironmentRecord(database, opening.caller.environment.id);
  return chooseDestination(VISITOR.platform, subject, default_destinations)?.kind === 'blocked';
}
