import { EVENT_LOG_DAYS } from '../../shared/base/limits.js';
import type { Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { refuse } from '../http/problems.js';
import { isPlainText } from '../http/validate.js';
import { originOf } from '../links/view.js';
import { installOfRow } from './install-row.js';
import { deleteInstall, deleteInstallEvents, findInstall, selectInstalls } from './sql.js';

const DAY_MS = 86_400_000;

function noSuchInstall() {
  return refuse('not_found', 'There is no such installation in this environment.');
}

/** What a server may do with installations that its apps have reported. */
export function installOperations(cursors: Cursors): Pick<Operations, 'listInstalls' | 'getInstall' | 'deleteInstall'> {
  return {
    listInstalls: {
      check: ({ caller, query }) => cursorErrors(cursors, listName(caller), 'event', query.cursor),
      handle: (call, database) => listInstalls(call, database, cursors),
    },
    getInstall: {
      async handle(call, database) {
        const { install } = call.params;
        const row = isPlainText(install) ? await findInstall(database, call.caller.environment.id, install) : null;
        if (row === null) throw noSuchInstall();
        return { body: installOfRow(row, originOf(call).environment) };
      },
    },
    deleteInstall: {
      async handle({ caller, params, nowMs }, database) {
        // No installation has such an id, and PostgreSQL takes no NUL.
        if (!isPlainText(params.install)) throw noSuchInstall();
        const environmentId = caller.environment.id;
        // Whatever is in the log of events has left a row that lasts longer, the installation's own or a tracked event's.
        if ((await deleteInstall(database, environmentId, params.install)) === 0) throw noSuchInstall();
        // A day more on either side: the database's clock may be ahead, and partitions go some time after their last day.
        for (let ago = -1; ago <= EVENT_LOG_DAYS + 1; ago++) {
          const day = new Date(nowMs - (nowMs % DAY_MS) - ago * DAY_MS);
          await deleteInstallEvents(database, environmentId, params.install, day);
        }
        return { body: undefined };
      },
    },
  };
}

function listName(caller: Caller): string {
  return `listInstalls/${caller.environment.id}`;
}

async function listInstalls(call: Call<'listInstalls'>, database: Queryable, cursors: Cursors) {
  const { query, caller } = call;
  const page = pageRequest(cursors, listName(caller), 'event', query);
  const filter = { attribution: query.attribution ?? null, link: query.link ?? null, campaign: query.campaign ?? null };
  const items = await selectInstalls(database, caller.environment.id, filter, page);
  const { data, next_cursor } = pageOf(cursors, listName(caller), 'event', { items, limit: page.limit });
  const { environment } = originOf(call);
  return { body: { data: data.map((row) => installOfRow(row, environment)), next_cursor } };
}
