import { DAY_MS } from '../../shared/base/instant.js';
import { isStorable } from '../../shared/base/issue.js';
import { EVENT_LOG_DAYS } from '../../shared/base/limits.js';
import type { Database, Queryable } from '../db/database.js';
import { type Cursors, type PagedList, type PageRequest, pagedList } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { noSuch } from '../http/problems.js';
import { installOfRow } from './install-row.js';
import { deleteInstall, deleteInstallEvents, findInstall, isInstallKnown, selectInstalls } from './sql.js';

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
  const eraseEvents = async (from: Queryable, agoMax: number) => {
    // One day more, because the database's clock may be ahead.
    for (let ago = agoMax; ago >= -1; ago--)
      await deleteInstallEvents(from, environment.id, install, new Date(nowMs - (nowMs % DAY_MS) - ago * DAY_MS));
  };
  // One day more at this end, too, because partitions are dropped some time after their last day.
  await eraseEvents(database, EVENT_LOG_DAYS + 1);
  await database.transaction(async (transaction) => {
    await deleteInstall(transaction, environment.id, install);
    await eraseEvents(transaction, 1);
  });
}

async function listInstalls(call: Call<'listInstalls'>, database: Queryable, list: PagedList) {
  const { query, caller } = call;
  const filter = { attribution: query.attribution ?? null, link: query.link ?? null, campaign: query.campaign ?? null };
  const select = (page: PageRequest) => selectInstalls(database, caller.environment.id, filter, page);
  return { body: await list.page(call, select, (row) => installOfRow(row, caller.environment.name)) };
}
