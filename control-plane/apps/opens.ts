import { type ClickSearch, matchClick, type OpenEvidence, readEvidence } from '../../shared/attribution/match-open.js';
import type { MatchType, OpenReason } from '../../shared/attribution/outcome.js';
import type { IsUnmatchable } from '../../shared/attribution/unmatchable-networks.js';
import { idTimeMs, idToUuid, uuidToId } from '../../shared/base/ids.js';
import { formatInstant } from '../../shared/base/instant.js';
import { invariant } from '../../shared/base/invariant.js';
import { CANDIDATE_CLICKS_OF_VISIT_MAX } from '../../shared/base/limits.js';
import type { SdkOpenResult } from '../../shared/contract/schemas/sdk.js';
import { addressOfLimit } from '../../shared/net/address.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import { splitClickId } from '../../shared/resolve/click-id.js';
import { readTriedPath } from '../../shared/resolve/explain-template.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { type ClickIdKeys, isSignedClickId } from '../../shared/secrets/click-id-keys.js';
import { buildEvent, type EventRow } from '../../shared/webhooks/body.js';
import { awaitNamedClick, type ClickWait } from '../clicks/await-named-click.js';
import type { Database, Queryable } from '../db/database.js';
import { readEnvironmentRecord } from '../environment/environment-record.js';
import { eventOriginOf, insertEvents } from '../events/emit.js';
import type { Call, Effect } from '../http/operation.js';
import { type RateLimiter, refuseOverLimit } from '../http/rate-limit.js';
import { awaitClick } from './await-click.js';
import {
  type CarriedClick,
  type Delivered,
  deliveredByClick,
  NOTHING_DELIVERED,
  type Opening,
  type ResolvedUrl,
  resolveUrl,
  wasClickOn,
} from './delivered.js';
import { openClicksOf, takeClick } from './open-clicks.js';
import * as sql from './sql.js';
import { answerFromStored, storedAnswer } from './stored-answer.js';

export interface OpenDependencies extends ClickWait {
  readonly form: LinkUrlForm;
  /** Whether an address must never be used to match opens. */
  readonly isUnmatchable: IsUnmatchable;
  /** Counts addresses of first opens whose only evidence is a URL. */
  readonly urlOpenLimiter: RateLimiter;
}

type OpenCall = Call<'recordSdkOpen'>;

type OpenEffect = Effect<'recordSdkOpen'>;

/** Does everything about an open that may wait, and returns the effect. */
export function planOpen(call: OpenCall, database: Queryable, dependencies: OpenDependencies): Promise<OpenEffect> {
  return call.body.first_open ? planFirstOpen(call, database, dependencies) : planLaterOpen(call, database, dependencies);
}

async function planLaterOpen(call: OpenCall, database: Queryable, dependencies: OpenDependencies): Promise<OpenEffect> {
  const url = await openedUrl(call, database, dependencies);
  const opening = openingOf(call, dependencies);
  return async (connection) => ({ body: await recordLaterOpen(call, connection, { opening, url }), committed: { deliveries: true } });
}

async function planFirstOpen(call: OpenCall, database: Queryable, dependencies: OpenDependencies): Promise<OpenEffect> {
  const { body, caller, nowMs } = call;
  const { isUnmatchable, urlOpenLimiter } = dependencies;
  const answered = await sql.findInstallAnswer(database, caller.environment.id, body.install_id);
  if (answered !== null) return async () => ({ body: answerFromStored(answered) });
  if (hasUrlAlone(body, dependencies.clickIds)) refuseSpent(call, urlOpenLimiter);
  const url = await openedUrl(call, database, dependencies);
  const environment = await readEnvironmentRecord(database, caller.environment.id);
  const evidence = readEvidence(body, { environment, address: call.clientAddress, isUnmatchable, nowMs });
  if (url.kind === 'nothing') await awaitClick(openClicksOf(database, environment), evidence, dependencies);
  const open: FirstOpen = { call, opening: openingOf(call, dependencies), url, evidence, environment, urlOpenLimiter };
  return async (connection) => ({ body: await recordFirstOpen(open, connection), committed: { deliveries: true } });
}

function openingOf({ caller, nowMs }: OpenCall, { form }: OpenDependencies): Opening {
  return { caller, nowMs, form };
}

/** What the opened URL leads to. If it names a click, waits until that is stored. */
async function openedUrl(call: OpenCall, database: Queryable, dependencies: OpenDependencies): Promise<ResolvedUrl> {
  const { opened_url } = call.body;
  const url = opened_url ? await resolveUrl(database, openingOf(call, dependencies), opened_url) : NO_URL;
  const { click } = url;
  if (click !== null) {
    const named = { environmentId: call.caller.environment.id, clickId: click.clickId, nowMs: call.nowMs };
    await awaitNamedClick(named, () => findCarried(click, database), dependencies);
  }
  return url;
}

const NO_URL: ResolvedUrl = { kind: 'nothing', detail: '', link_id: null, path: '', click: null };

const URL_OPENS_LIMIT = 'Too many first opens from this address that name only a URL.';

/** Whether a URL is the only evidence of the open: it has no click id signed by one of our hosts, and there is nothing else. */
function hasUrlAlone({ opened_url, play_referrer, clipboard }: OpenCall['body'], clickIds: ClickIdKeys): boolean {
  if (!opened_url || play_referrer || clipboard) return false;
  const { clickId } = splitClickId(readTriedPath(opened_url)?.query ?? '');
  return clickId === '' || !isSignedClickId(clickIds, clickId);
}

/** Refuses a client beyond the limit, which then costs only the query for an earlier answer. */
function refuseSpent({ clientAddress }: OpenCall, limiter: RateLimiter): void {
  const spent = limiter.spent(addressOfLimit(clientAddress));
  if (spent !== null) refuseOverLimit(spent, URL_OPENS_LIMIT);
}

interface FirstOpen {
  readonly call: OpenCall;
  readonly opening: Opening;
  readonly url: ResolvedUrl;
  readonly evidence: OpenEvidence;
  readonly environment: EnvironmentRecord;
  readonly urlOpenLimiter: RateLimiter;
}

/**
 * Stores the installation with its answer, and takes the click to which it was matched, in one transaction. So whatever crashes
 * after the commit, the same call gets the same answer. Simultaneous calls for one installation wait for the first.
 */
async function recordFirstOpen(open: FirstOpen, database: Database): Promise<SdkOpenResult> {
  const { body, caller } = open.call;
  const environmentId = caller.environment.id;
  return database.transaction(async (transaction) => {
    await sql.lockInstall(transaction, environmentId, body.install_id);
    const answered = await sql.findInstallAnswer(transaction, environmentId, body.install_id);
    if (answered !== null) return answerFromStored(answered);
    const match = await matchAndTake(open, transaction);
    const answer = answerOf(match);
    const install = {
      install_id: body.install_id,
      platform: body.device.os,
      os_version: body.device.os_version ?? null,
      model: body.device.model ?? null,
      attribution: answer.attribution,
      match_type: answer.match_type,
      reason: answer.reason,
      click_id: match.click?.id ?? null,
      answer: storedAnswer(answer),
    };
    await sql.insertInstall(transaction, environmentId, install, installEvent(open.call, answer));
    return answer;
  });
}

/** How an open was matched. */
interface OpenMatch {
  readonly rule: MatchType | null;
  readonly matchedFactors: readonly string[];
  readonly reason: OpenReason;
  readonly click: sql.OpenClick | null;
  readonly delivered: Delivered;
}

const unmatched = (reason: OpenReason): OpenMatch => ({
  rule: null,
  matchedFactors: [],
  reason,
  click: null,
  delivered: NOTHING_DELIVERED,
});

function byUrl(delivered: Delivered, click: sql.OpenClick | null): OpenMatch {
  return { rule: 'opened_url', matchedFactors: ['opened_url'], reason: 'matched', click, delivered };
}

/** Every click that is lost to another installation leaves one candidate fewer, so these tries are enough. */
const TAKE_TRIES_MAX = CANDIDATE_CLICKS_OF_VISIT_MAX + 3;

async function matchAndTake(open: FirstOpen, transaction: Database): Promise<OpenMatch> {
  const { call, opening, url, evidence, environment, urlOpenLimiter } = open;
  const carried = await takeCarried(open, evidence.search, transaction);
  if (url.kind === 'found' && carried === null) refuseOverLimit(urlOpenLimiter.count(addressOfLimit(call.clientAddress)), URL_OPENS_LIMIT);
  const matched = await matchOfUrl(open, carried, transaction);
  if (matched !== null) return matched;
  for (let attempt = 0; attempt < TAKE_TRIES_MAX; attempt++) {
    const match = await matchClick(openClicksOf(transaction, environment), evidence);
    if (match.kind === 'none') return unmatched(match.reason);
    const { rule, click, matchedFactors } = match;
    if (await takeClick(transaction, click, evidence.search))
      return { rule, matchedFactors, reason: 'matched', click, delivered: await deliveredByClick(transaction, opening, click) };
  }
  invariant(false, `lost ${TAKE_TRIES_MAX} clicks to others`);
}

/** A URL that opened the app, and for whom. */
type OpenedUrl = Pick<FirstOpen, 'opening' | 'url'>;

/**
 * Takes the click that the URL carries. Returns null if that fails; if the URL leads somewhere, the open still matches by it. A click on
 * something other than the URL's link or item is not taken, and is left to the installation to which it belongs.
 */
async function takeCarried({ opening, url }: OpenedUrl, search: ClickSearch | null, transaction: Queryable): Promise<sql.OpenClick | null> {
  const click = url.click === null ? null : await findCarried(url.click, transaction);
  if (click === null) return null;
  const fits = url.kind === 'found' ? isClickOn(click, url.delivered) : await wasClickOn(transaction, opening, click, url);
  return fits && (await takeClick(transaction, click, search)) ? click : null;
}

/** The match by a URL, with the click that it carries. A URL that leads nowhere now matches by that click alone. */
async function matchOfUrl({ opening, url }: OpenedUrl, click: sql.OpenClick | null, transaction: Queryable): Promise<OpenMatch | null> {
  if (url.kind === 'found') return byUrl(url.delivered, click);
  return click === null ? null : byUrl(await deliveredByClick(transaction, opening, click), click);
}

function isClickOn({ kind, subject_id, item_id }: sql.OpenClick, { link, resource }: Delivered): boolean {
  if (kind === 'link') return link?.id === uuidToId('link', subject_id);
  return resource !== null && resource.id === item_id && resource.template_id === uuidToId('urlTemplate', subject_id);
}

async function findCarried({ environmentNumber, clickId }: CarriedClick, database: Queryable): Promise<sql.OpenClick | null> {
  const clickedMs = idTimeMs('click', clickId);
  if (clickedMs === null) return null;
  return sql.findOpenClick(database, environmentNumber, idToUuid('click', clickId) as string, new Date(clickedMs));
}

function answerOf({ rule, matchedFactors, reason, click, delivered }: OpenMatch): SdkOpenResult {
  return {
    attribution: rule === null ? 'organic' : 'attributed',
    match_type: rule,
    guaranteed: click !== null && rule !== 'probabilistic',
    matched_factors: [...matchedFactors],
    reason,
    click_id: click === null ? null : uuidToId('click', click.id),
    ...delivered,
  };
}

/** Records an open of an installation that was opened before, as an event and a row of `app_opens`, if its URL or its click leads anywhere. */
async function recordLaterOpen(call: OpenCall, database: Database, open: OpenedUrl): Promise<SdkOpenResult> {
  if (open.url.kind === 'nothing' && open.url.click === null) return answerOf(unmatched('no_link'));
  return database.transaction(async (transaction) => {
    const match = await matchOfUrl(open, await takeCarried(open, null, transaction), transaction);
    if (match === null) return answerOf(unmatched('no_link'));
    const answer: SdkOpenResult = { ...answerOf(match), attribution: 'reengaged' };
    const event = buildEvent(eventOriginOf(call), 'open.reengaged', { ...openFields(call, answer), attribution: 'reengaged' });
    await insertEvents(transaction, [event]);
    const { link, resource } = answer;
    await sql.insertAppOpen(transaction, event, call.body.install_id, {
      link_id: link?.id ?? null,
      campaign: link?.campaign ?? null,
      resource_type: resource?.resource_type ?? null,
      item_id: resource?.id ?? null,
    });
    return answer;
  });
}

function installEvent(call: OpenCall, answer: SdkOpenResult): EventRow {
  const fields = openFields(call, answer);
  return answer.attribution === 'attributed'
    ? buildEvent(eventOriginOf(call), 'install.attributed', { ...fields, attribution: 'attributed' })
    : buildEvent(eventOriginOf(call), 'install.organic', { ...fields, attribution: 'organic' });
}

function openFields({ body, nowMs }: OpenCall, answer: SdkOpenResult) {
  return {
    install_id: body.install_id,
    match_type: answer.match_type,
    guaranteed: answer.guaranteed,
    matched_factors: answer.matched_factors,
    reason: answer.reason,
    click_id: answer.click_id,
    link_id: answer.link?.id ?? null,
    resource_type: answer.resource?.resource_type ?? null,
    item_id: answer.resource?.id ?? null,
    deep_link_path: answer.deep_link_path,
    data: answer.data,
    params: answer.params,
    platform: body.device.os,
    occurred_at: formatInstant(nowMs),
  };
}
