import { DAY_MS } from '../../shared/base/instant.js';
import { isStorable } from '../../shared/base/issue.js';
import { EVENT_LOG_DAYS } from '../../shared/base/limits.js';
import type { Database, Queryable } from '../db/database.js';
import { type Cursors, type PagedList, type PageRequest, pagedList } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { noSuch } from '../http/problems.js';
import { installOfRow } from './install-row.js';
import { deleteEvents, deleteInstall, findInstall, findInstallEvents, forgetResponses, isInstallKnown, selectInstalls } from './sql.js';

/** The operations on installations that apps have reported. */
export function installOperations(cursors: Cursors): Pick<Operations, 'listInstalls' | 'getInstall' | 'deleteInstall'> {
  const list = pagedList(cursors, 'listInstalls', 'event');
  return {
    listInstalls: {
      check: list.errors,
      handle: (call, database) => listInstalls(call, database, list),
    },
    getInstall: {
      async handle(call, database) {
        const { install } = call.params;
        const row = isStorable(install) ? await findInstall(database, call.caller.environment.id, install) : null;
        if (row === null) throw noSuch('installation');
        return { body: installOfRow(row, call.caller.environment.name) };
      },
    },
    deleteInstall: {
      async handle(call, database) {
        await eraseInstall(call, database);
        return { body: undefined };
      },
    },
  };
}

/**
 * Deletes events first, and last the rows that show that the installation exists, so that an interrupted erasure can be requested again.
 * An event that arrives meanwhile leaves such a row as well.
 */
async function eraseInstall({ caller, params, nowMs, requireMatch }: Call<'deleteInstall'>, database: Database): Promise<void> {
  const environment = caller.environment;
  const { install } = params;
  // No installation has an id that cannot be stored, and PostgreSQL accepts no NUL.
  const isKnown = isStorable(install) && (await isInstallKnown(database, environment.id, install));
  if (!isKnown) throw noSuch('installation');
  const row = await findInstall(database, environment.id, install);
  requireMatch(row === null ? null : installOfRow(row, environment.name));
  const erased = { environmentId: environment.id, install };
  // One day more, because partitions are dropped some time after their last day.
  await eraseEvents(database, erased, daysSince(EVENT_LOG_DAYS + 1, nowMs));
  await database.transaction(async (transaction) => {
    await deleteInstall(transaction, environment.id, install);
    await eraseEvents(transaction, erased, daysSince(1, nowMs));
  });
}

/** The days since that many days ago, in their order. One day more, because the database's clock may be ahead. */
function daysSince(ago: number, nowMs: number): readonly Date[] {
  const today = nowMs - (nowMs % DAY_MS);
  return Array.from({ length: ago + 2 }, (_, index) => new Date(today + (index - ago) * DAY_MS));
}

/** Deletes the responses to the events first, because they are found by the events. */
async function eraseEvents(
  database: Queryable,
  { environmentId, install }: { readonly environmentId: string; readonly install: string },
  days: readonly Date[],
): Promise<void> {
  const found: { readonly day: Date; readonly ids: readonly string[] }[] = [];
  for (const day of days) {
    const ids = await findInstallEvents(database, environmentId, install, day);
    if (ids.length > 0) found.push({ day, ids });
  }
  const [first] = found;
  if (first === undefined) return;
  const all = found.flatMap(({ ids }) => ids);
  // An event may be delivered again as long as it is kept.
  for (const day of days.filter((each) => each >= first.day)) await forgetResponses(database, environmentId, all, day);
  for (const { day, ids } of found) await deleteEvents(database, environmentId, ids, day);
}

async function listInstalls(call: Call<'listInstalls'>, database: Queryable, list: PagedList) {
  const { query, caller } = call;
  const filter = { attribution: query.attribution ?? null, link: query.link ?? null, campaign: query.campaign ?? null };
  const select = (page: PageRequest) => selectInstalls(database, caller.environment.id, filter, page);
  return { body: await list.page(call, select, (row) => installOfRow(row, caller.environment.name)) };
}
