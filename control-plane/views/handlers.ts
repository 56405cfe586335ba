import { idAt } from '../../shared/base/ids.js';
import { laterThan } from '../../shared/base/instant.js';
import { VIEWS_MAX } from '../../shared/base/view-limits.js';
import type { View } from '../../shared/contract/schemas/view.js';
import type { Database } from '../db/database.js';
import { lockObjectCounts } from '../environment/lock.js';
import type { Caller } from '../http/authenticate.js';
import { type Cursors, cursorErrors, pageOf, pageRequest } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { refuse, refuseTaken } from '../http/problems.js';
import { requireView } from './require-view.js';
import { isSameView, newViewRow, patchedViewRow, viewErrors } from './rules.js';
import * as sql from './sql.js';
import { viewOfRow } from './view-row.js';

type ViewOperations = Pick<Operations, 'listViews' | 'createView' | 'getView' | 'updateView' | 'deleteView'>;

export function viewOperations(cursors: Cursors): ViewOperations {
  return {
    listViews: {
      check: ({ caller, query }) => cursorErrors(cursors, listName(caller), 'view', query.cursor),
      async handle({ caller, query }, database) {
        const page = pageRequest(cursors, listName(caller), 'view', query);
        const rows = await sql.listViews(database, caller.environment.id, page);
        return { body: pageOf(cursors, listName(caller), 'view', { items: rows.map(viewOfRow), limit: page.limit }) };
      },
    },
    createView: {
      check: ({ body }) => viewErrors(body),
      async handle(call, database) {
        const view = await createView(call, database);
        return { body: view, location: `/views/${view.id}` };
      },
    },
    getView: {
      handle: async (call, database) => ({ body: viewOfRow(await requireView(call, database)) }),
    },
    updateView: {
      check: ({ body }) => viewErrors(body),
      handle: async (call, database) => ({ body: await updateView(call, database) }),
    },
    deleteView: {
      async handle(call, database) {
        await database.transaction(async (transaction) => {
          const row = await requireView(call, transaction, sql.lockView);
          call.requireMatch(viewOfRow(row));
          await sql.deleteView(transaction, row.id);
        });
        return { body: undefined };
      },
    },
  };
}

function listName(caller: Caller): string {
  return `listViews/${caller.environment.id}`;
}

function nameTaken(name: string) {
  return refuseTaken('/name', `There is already a view "${name}".`);
}

function createView({ caller, body, nowMs }: Call<'createView'>, database: Database): Promise<View> {
  const row = newViewRow(body, idAt('view', nowMs), nowMs);
  return database.transaction(async (transaction) => {
    await lockObjectCounts(transaction, caller.environment.id);
    if ((await sql.countViews(transaction, caller.environment.id)) >= VIEWS_MAX)
      throw refuse('conflict', `An environment has at most ${VIEWS_MAX} views: delete one first.`);
    if (!(await sql.insertView(transaction, caller.environment.id, row))) throw nameTaken(row.name);
    return viewOfRow(row);
  });
}

function updateView(call: Call<'updateView'>, database: Database): Promise<View> {
  return database.transaction(async (transaction) => {
    // Two views that swap their names at once would otherwise wait for each other's name.
    if (call.body.name !== undefined) await lockObjectCounts(transaction, call.caller.environment.id);
    const before = await requireView(call, transaction, sql.lockView);
    call.requireMatch(viewOfRow(before));
    const patched = patchedViewRow(before, call.body);
    if (isSameView(before, patched)) return viewOfRow(before);
    const after = { ...patched, updated_at: laterThan(before.updated_at, call.nowMs) };
    if (!(await sql.updateView(transaction, after))) throw nameTaken(after.name);
    return viewOfRow(after);
  });
}
