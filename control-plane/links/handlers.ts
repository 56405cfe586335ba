import { idAt, idCeiling, idFloor, isId } from '../../shared/base/ids.js';
import { parseInstant } from '../../shared/base/instant.js';
import { invariant } from '../../shared/base/invariant.js';
import { GENERATED_PATH_CHARACTERS } from '../../shared/base/limits.js';
import { randomBase62 } from '../../shared/base/random-text.js';
import type { FieldError } from '../../shared/contract/problems.js';
import type { Link } from '../../shared/contract/schemas/link.js';
import { type EventOrigin, type EventRow, linkCreatedEvent, linkDisabledEvent, linkUpdatedEvent } from '../../shared/webhooks/body.js';
import type { Database, Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { fieldError, refuse } from '../http/problems.js';
import { type LinkRow, type LinkUrlForm, type LinkView, linkOfRow } from './link-row.js';
import { changedFields, isReservedPath, linkFieldErrors, newLinkRow, patchedLinkRow } from './rules.js';
import * as sql from './sql.js';

export interface LinkDependencies {
  readonly form: LinkUrlForm;
  readonly cursors: Cursors;
  /** Says that feed rows were committed. */
  readonly feedChanged: () => void;
}

type LinkOperations = Pick<Operations, 'createLink' | 'listLinks' | 'getLink' | 'updateLink' | 'deleteLink'>;

export function linkOperations(dependencies: LinkDependencies): LinkOperations {
  const { cursors, feedChanged } = dependencies;
  return {
    createLink: {
      check: linkErrors,
      async handle(call, database) {
        const link = await createLink(call, database, dependencies.form);
        return { body: link, location: `/links/${link.id}`, afterCommit: feedChanged };
      },
    },
    listLinks: {
      check: (call) => [...cursorErrors(cursors, listName(call.caller), 'link', call.query.cursor), ...rangeErrors(call)],
      handle: (call, database) => listLinks(call, database, dependencies),
    },
    getLink: {
      async handle(call, database) {
        const row = isId('link', call.params.link) ? await sql.findLink(database, call.caller.environment.id, call.params.link) : null;
        if (row === null) throw noSuchLink();
        return { body: linkOfRow(row, viewOf(call, dependencies.form)) };
      },
    },
    updateLink: {
      check: linkErrors,
      async handle(call, database) {
        return { body: await updateLink(call, database, dependencies.form), afterCommit: feedChanged };
      },
    },
    deleteLink: {
      async handle(call, database) {
        await deleteLink(call, database, dependencies.form);
        return { body: undefined, afterCommit: feedChanged };
      },
    },
  };
}

function noSuchLink() {
  return refuse('not_found', 'There is no such link in this environment.');
}

function viewOf(call: { readonly caller: Caller; readonly nowMs: number }, form: LinkUrlForm): LinkView {
  const { environment } = call.caller;
  return { environment: environment.name, linkHost: environment.linkHost, form, nowMs: call.nowMs };
}

function originOf(call: { readonly caller: Caller; readonly nowMs: number }): EventOrigin {
  const { environment } = call.caller;
  return { environment_id: environment.id, environment: environment.name, at_ms: call.nowMs };
}

/** Rules of the fields, and look-ups of what they name. A campaign is never deleted, so it is still there when the link is written. */
async function linkErrors({ body, caller }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const errors = [...linkFieldErrors(body)];
  const { campaign, domain } = body;
  if (isLookedUp(campaign) && !(await sql.campaignExists(database, caller.environment.id, campaign)))
    errors.push(fieldError('body', '/campaign', 'unknown_campaign', 'is no campaign of this environment'));
  if (isLookedUp(domain) && !(await sql.domainIsVerified(database, caller.environment.id, domain)))
    errors.push(fieldError('body', '/domain', 'unknown_domain', 'is no verified domain of this environment'));
  return errors;
}

/** NUL, the one character PostgreSQL's text cannot hold, is refused by the schema already. */
function isLookedUp(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

/** 62^7 paths are 3.5 x 10^12: with a billion links in one environment, one try in 3,500 meets a taken one. */
const GENERATED_TRIES_MAX = 8;

async function createLink(call: Call<'createLink'>, database: Database, form: LinkUrlForm): Promise<Link> {
  const { body, nowMs } = call;
  for (let attempt = 0; attempt < GENERATED_TRIES_MAX; attempt++) {
    const path = body.path ?? generatePath();
    const row = newLinkRow(body, { id: idAt('link', nowMs), path, nowMs });
    const link = linkOfRow(row, viewOf(call, form));
    const event = linkCreatedEvent(originOf(call), link);
    const environmentId = call.caller.environment.id;
    if (await sql.insertLink(database, environmentId, row, event)) return link;
    if (body.path === undefined) continue;
    const released = await sql.releasePath(database, environmentId, path);
    if (released && (await sql.insertLink(database, environmentId, row, event))) return link;
    throw refuse('conflict', `The path "${path}" is taken.`);
  }
  invariant(false, `no free path in ${GENERATED_TRIES_MAX} tries`);
}

function generatePath(): string {
  const path = randomBase62(GENERATED_PATH_CHARACTERS);
  return isReservedPath(path) ? generatePath() : path;
}

function listName(caller: Caller): string {
  return `listLinks/${caller.environment.id}`;
}

function rangeErrors({ query }: UncheckedCall): readonly FieldError[] {
  const from = typeof query.created_from === 'string' ? parseInstant(query.created_from) : null;
  const to = typeof query.created_to === 'string' ? parseInstant(query.created_to) : null;
  return from !== null && to !== null && from > to
    ? [fieldError('query', '/created_from', 'invalid_range', 'must not be later than created_to')]
    : [];
}

async function listLinks(call: Call<'listLinks'>, database: Queryable, { cursors, form }: LinkDependencies) {
  const { query, caller } = call;
  const page = pageRequest(cursors, listName(caller), 'link', query);
  const filter: sql.LinkFilter = {
    nowMs: call.nowMs,
    ...(query.status === undefined ? {} : { status: query.status }),
    ...(query.campaign === undefined ? {} : { campaign: query.campaign }),
    ...(query.path === undefined ? {} : { pathPrefix: query.path }),
    ...(query.created_from === undefined ? {} : { fromId: idFloor('link', parseInstant(query.created_from) as number) }),
    ...(query.created_to === undefined ? {} : { toId: idCeiling('link', parseInstant(query.created_to) as number) }),
  };
  const rows = await sql.listLinks(database, caller.environment.id, filter, page);
  const items = rows.map((row) => linkOfRow(row, viewOf(call, form)));
  return { body: pageOf(cursors, listName(caller), 'link', { items, limit: page.limit }) };
}

async function updateLink(call: Call<'updateLink'>, database: Database, form: LinkUrlForm): Promise<Link> {
  if (!isId('link', call.params.link)) throw noSuchLink();
  return database.transaction(async (transaction) => {
    const before = await sql.lockLink(transaction, call.caller.environment.id, call.params.link);
    if (before === null) throw noSuchLink();
    if (before.state === 'blocked' && call.body.status !== undefined)
      throw refuse('conflict', 'The link is blocked; its status can only be changed by the operator of the service.');
    const patched = patchedLinkRow(before, call.body);
    const changed = changedFields(before, patched);
    if (changed.length === 0) return linkOfRow(before, viewOf(call, form));
    const after: LinkRow = { ...patched, updated_at: laterThan(before.updated_at, call.nowMs) };
    const link = linkOfRow(after, viewOf(call, form));
    await sql.updateLink(transaction, after);
    await sql.insertEvents(transaction, updateEvents(originOf(call), link, changed));
    return link;
  });
}

/** `link.disabled` for the move to disabled, `link.updated` for everything else that changed. */
function updateEvents(origin: EventOrigin, link: Link, changed: readonly string[]): readonly EventRow[] {
  const disabled = changed.includes('status') && link.status === 'disabled';
  const others = disabled ? changed.filter((field) => field !== 'status') : changed;
  return [...(others.length === 0 ? [] : [linkUpdatedEvent(origin, link, others)]), ...(disabled ? [linkDisabledEvent(origin, link)] : [])];
}

/** Clocks of two servers may differ; `updated_at` never goes back. */
function laterThan(previous: Date, nowMs: number): Date {
  return new Date(Math.max(previous.getTime(), nowMs));
}

async function deleteLink(call: Call<'deleteLink'>, database: Database, form: LinkUrlForm): Promise<void> {
  if (!isId('link', call.params.link)) throw noSuchLink();
  await database.transaction(async (transaction) => {
    const row = await sql.lockLink(transaction, call.caller.environment.id, call.params.link);
    if (row === null) throw noSuchLink();
    await sql.markLinkDeleted(transaction, row.id, call.nowMs);
    if (row.state !== 'active') return;
    const link = linkOfRow({ ...row, state: 'disabled', updated_at: laterThan(row.updated_at, call.nowMs) }, viewOf(call, form));
    await sql.insertEvents(transaction, [linkDisabledEvent(originOf(call), link)]);
  });
}
