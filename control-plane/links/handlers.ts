import { idToUuid, isId } from '../../shared/base/ids.js';
import { formatInstant, laterThan } from '../../shared/base/instant.js';
import { ClickHouseUnavailableError } from '../../shared/clickhouse/connection.js';
import type { Link } from '../../shared/contract/schemas/link.js';
import { LINK_CLICKS_DAYS, type ListedLink } from '../../shared/contract/schemas/link-list.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import type { LinkAlias } from '../../shared/records/records.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { type EventOrigin, type EventRow, linkDisabledEvent, linkUpdatedEvent } from '../../shared/webhooks/body.js';
import { leadsToBlocked } from '../blocklist/check.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { Database, Queryable, Snapshot } from '../db/database.js';
import { eventOriginOf, insertEvents } from '../events/emit.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { daysOf, readWindow } from '../local-days/window.js';
import { lockAddresses } from './address-locks.js';
import { aliasAddresses, storedAliases } from './aliases.js';
import { type BulkDependencies, bulkOperations } from './bulk-operation.js';
import { hasSameUrls, linkUrls } from './card.js';
import { linkErrors, requireVerified } from './checks.js';
import { createLink } from './create-link.js';
import { markExpiryTold } from './expiry-sql.js';
import { addressTaken, aliasPathsOf, isAliasOfOther, replaceAliases, textOf } from './give-aliases.js';
import { type LinkRow, linkOfRow, shownHost } from './link-row.js';
import { deletedListErrors, linkFilterOf, rangeErrors } from './list-filter.js';
import { defaultOrder, listName, listNames } from './list-name.js';
import { listLinks as selectLinks } from './list-sql.js';
import { type QrDependencies, qrOperations } from './qr-operations.js';
import { releaseAddresses } from './release-addresses.js';
import { requireLink } from './require-link.js';
import { restoreLink } from './restore-link.js';
import { changedFields, patchedLinkRow, withHashedPassword } from './rules.js';
import * as sql from './sql.js';
import { type LinkTestDependencies, testLink } from './test-link.js';
import { triedPathErrors } from './tried-url.js';
import { viewOf } from './view.js';

export interface LinkDependencies extends BulkDependencies, LinkTestDependencies, QrDependencies {
  readonly cursors: Cursors;
  readonly clickStore: ClickStore;
}

type LinkOperations = Pick<
  Operations,
  | 'createLink'
  | 'createLinks'
  | 'testLink'
  | 'getLinkQr'
  | 'drawLinkQr'
  | 'listLinks'
  | 'getLink'
  | 'updateLink'
  | 'deleteLink'
  | 'restoreLink'
>;

export function linkOperations(dependencies: LinkDependencies): LinkOperations {
  const { cursors } = dependencies;
  return {
    createLink: {
      check: errorsOf,
      async handle(call, database) {
        const { link, feed } = await createLink(call, database, dependencies.form);
        return { body: link, location: `/links/${link.id}`, committed: { feed } };
      },
    },
    ...bulkOperations(dependencies),
    listLinks: {
      check: (call) => [
        ...cursorErrors(cursors, listNames(call), 'link', call.query.cursor),
        ...rangeErrors(call.query),
        ...deletedListErrors(call.query),
      ],
      handle: (call, database) => listLinks(call, database, dependencies),
    },
    getLink: {
      async handle(call, database) {
        return { body: linkOfRow(await requireLink(call, database), viewOf(call, dependencies.form)) };
      },
    },
    testLink: {
      check: ({ body }) => triedPathErrors(body.path),
      handle: async (call, database) => ({ body: await testLink(call, database, dependencies) }),
    },
    ...qrOperations(dependencies),
    updateLink: {
      check: patchErrors,
      async handle(call, database) {
        return { body: await updateLink(call, database, dependencies.form), committed: { feed: 'followed' } };
      },
    },
    deleteLink: {
      async handle(call, database) {
        await deleteLink(call, database, dependencies.form);
        return { body: undefined, committed: { feed: 'followed' } };
      },
    },
    restoreLink: {
      async handle(call, database) {
        return { body: await restoreLink(call, database, dependencies.form), committed: { feed: 'followed' } };
      },
    },
  };
}

async function errorsOf({ body, caller, nowMs }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const [errors] = await linkErrors(database, caller.environment.id, [body], nowMs);
  return errors ?? [];
}

/**
 * An unverified host is not refused if the link already has the address: the link keeps it for when the host is verified again, and a list
 * of aliases is always sent as a whole.
 */
async function patchErrors(call: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const errors = await errorsOf(call, database);
  const id = call.params.link ?? '';
  if (!isId('link', id) || !errors.some(({ code }) => code === 'unknown_domain')) return errors;
  const link = await sql.findLink(database, call.caller.environment.id, id);
  return link === null ? errors : errors.filter((error) => error.code !== 'unknown_domain' || !hasHost(link, call.body, error.pointer));
}

/** Whether the link has the alias or the domain that the pointer points to. Without a path, any alias on the host may be meant. */
function hasHost(link: LinkRow, body: UncheckedCall['body'], pointer: string): boolean {
  if (pointer === '/domain') return link.domain === asciiHostName(String(body.domain));
  const given = (body.aliases as readonly LinkAlias[])[Number(pointer.split('/')[2])] as LinkAlias;
  if (typeof given.path !== 'string') return link.aliases.some(({ host }) => host === asciiHostName(given.host));
  const [address] = aliasAddresses(storedAliases([given]));
  return address !== undefined && aliasAddresses(link.aliases).map(textOf).includes(textOf(address));
}

async function listLinks(call: Call<'listLinks'>, database: Snapshot, { cursors, form, clickStore }: LinkDependencies) {
  const { query, caller } = call;
  const { sort = 'created_at', order = defaultOrder(sort) } = query;
  const list = listName(caller, query);
  const withClicks = query.include !== undefined;
  const page = { ...pageRequest(cursors, list, 'link', query), sort, descending: order === 'desc', withClicks };
  const filter = { ...linkFilterOf(query, call.nowMs), archived: query.status === 'deleted' ? null : (query.archived ?? false) };
  const rows = await selectLinks(database, caller.environment.id, filter, page);
  const daily = query.include === 'daily_clicks' ? await dailyClicksOf(call, database, clickStore, rows) : null;
  const items = rows.map(
    (row): ListedLink => ({
      ...linkOfRow(row, viewOf(call, form)),
      ...(row.deleted_at === undefined ? {} : { status: 'deleted' as const, deleted_at: formatInstant(row.deleted_at.getTime()) }),
      ...(withClicks && row.clicks !== undefined ? { clicks: row.clicks } : {}),
      ...(daily === null ? {} : { daily_clicks: daily(row.id) }),
    }),
  );
  const placeOf = (index: number) => rows[index]?.clicks ?? 0;
  return {
    body: pageOf(cursors, list, 'link', { items, limit: page.limit, ...(sort === 'clicks' ? { placeOf } : {}) }),
  };
}

/** How long a list waits for the clicks of each day. They are read by the key of ClickHouse's table, within milliseconds. */
const DAILY_CLICKS_MS = 3_000;

/**
 * Returns a function from the id of a link to its clicks by people on each of the last days. Null while ClickHouse is away: a list of
 * links is needed without them too, and most of what the dashboard does begins with one.
 */
async function dailyClicksOf({ caller, nowMs }: Call<'listLinks'>, database: Snapshot, clickStore: ClickStore, rows: readonly LinkRow[]) {
  const window = await readWindow(database, caller.environment.id, { days: LINK_CLICKS_DAYS }, nowMs);
  const uuids = rows.flatMap(({ id }) => idToUuid('link', id) ?? []);
  const reading = clickStore.reading(database, AbortSignal.timeout(DAILY_CLICKS_MS));
  const found = await reading.linkDays(window, uuids).catch((error: unknown) => {
    if (error instanceof ClickHouseUnavailableError) return null;
    throw error;
  });
  if (found === null) return null;
  const humanOf = new Map(found.map(({ subject_id, day, human }) => [`${subject_id} ${day}`, human]));
  const days = daysOf(window);
  return (id: string): number[] => days.map((day) => humanOf.get(`${idToUuid('link', id)} ${day}`) ?? 0);
}

async function updateLink(call: Call<'updateLink'>, database: Database, form: LinkUrlForm): Promise<Link> {
  const body = await withHashedPassword(call.body);
  return database.transaction(async (transaction) => {
    const before = await requireLink(call, transaction, sql.lockLink);
    const shownBefore = linkOfRow(before, viewOf(call, form));
    call.requireMatch(shownBefore);
    const judged = before.state === 'blocked' ? await judgedAgain(call, transaction, before) : before;
    const patched = patchedLinkRow(judged, body);
    const changed = changedFields(before, patched);
    const { id: environmentId, linkHost } = call.caller.environment;
    const address = { link_id: before.id, host: shownHost(patched, linkHost), normal_path: before.path };
    await lockAddresses(transaction, environmentId, {
      paths: changed.includes('domain') ? [before.path] : [],
      aliasPaths: changed.includes('aliases') ? aliasPathsOf(patched.aliases) : [],
    });
    await releaseAddresses(transaction, environmentId, [
      ...(changed.includes('domain') ? [address] : []),
      ...(changed.includes('aliases') ? aliasAddresses(patched.aliases) : []),
    ]);
    if (changed.includes('domain')) await requireVerified(transaction, environmentId, patched.domain);
    if (changed.includes('domain') && (await isAliasOfOther(transaction, environmentId, address))) throw addressTaken(address, '/domain');
    if (changed.length === 0) return shownBefore;
    await insertEvents(transaction, await expiryEvents(call, transaction, before, form));
    const written: LinkRow = { ...patched, updated_at: laterThan(before.updated_at, call.nowMs) };
    const after: LinkRow = { ...written, used_up_at: await sql.updateLink(transaction, written) };
    const link = linkOfRow(after, viewOf(call, form));
    if (changed.includes('aliases')) await replaceAliases(transaction, environmentId, before, after);
    await insertEvents(
      transaction,
      updateEvents(eventOriginOf(call), { before: shownBefore, after: link, changed, wasDisabled: judged.state === 'disabled' }),
    );
    return link;
  });
}

/** A blocked link returns to its state before the block if the change repairs its URLs. Any other change of its status is refused. */
async function judgedAgain({ body }: Call<'updateLink'>, database: Queryable, blocked: LinkRow): Promise<LinkRow> {
  const patched = patchedLinkRow(blocked, body);
  if (!hasSameUrls(blocked, patched) && !(await leadsToBlocked(database, linkUrls(patched))))
    return { ...blocked, state: await sql.stateBeforeBlock(database, blocked.id) };
  if (body.status !== undefined)
    throw refuse(
      'conflict',
      'The link is blocked. Replace the destination or the image of its card that is on the block list, or ask the operator to unblock it.',
    );
  return blocked;
}

/** Returns `link.disabled` for a link that has just expired and is changed before its expiry was reported. */
async function expiryEvents(call: Call<'updateLink' | 'deleteLink'>, database: Queryable, row: LinkRow, form: LinkUrlForm) {
  const link = linkOfRow(row, viewOf(call, form));
  const isReported = link.status !== 'expired' || !(await markExpiryTold(database, row.id));
  return isReported ? [] : [linkDisabledEvent(eventOriginOf(call), link, 'expired')];
}

interface LinkChange {
  readonly before: Link;
  readonly after: Link;
  /** Names of the stored fields whose value differs. */
  readonly changed: readonly string[];
  /** Whether it was disabled before, also if it was shown as blocked. */
  readonly wasDisabled: boolean;
}

/**
 * Returns `link.disabled` for the change to disabled, and `link.updated` for everything else that changed. The status that a link is shown
 * with also follows from its times and its clicks, so a change of these may change it.
 */
function updateEvents(origin: EventOrigin, { before, after, changed, wasDisabled }: LinkChange): readonly EventRow[] {
  const isDisabled = after.status === 'disabled' && !wasDisabled;
  const others = changed.filter((field) => field !== 'status');
  if (before.status !== after.status && !isDisabled) others.push('status');
  return [
    ...(others.length === 0 ? [] : [linkUpdatedEvent(origin, after, others)]),
    ...(isDisabled ? [linkDisabledEvent(origin, after, 'disabled')] : []),
  ];
}

async function deleteLink(call: Call<'deleteLink'>, database: Database, form: LinkUrlForm): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await requireLink(call, transaction, sql.lockLink);
    call.requireMatch(linkOfRow(row, viewOf(call, form)));
    await insertEvents(transaction, await expiryEvents(call, transaction, row, form));
    await sql.markLinkDeleted(transaction, row.id, call.nowMs);
    const link = linkOfRow({ ...row, state: 'disabled', updated_at: laterThan(row.updated_at, call.nowMs) }, viewOf(call, form));
    await insertEvents(transaction, [linkDisabledEvent(eventOriginOf(call), link, 'deleted')]);
  });
}
