import { formatInstant, laterThan } from '../../shared/base/instant.js';
import type { Tag } from '../../shared/contract/schemas/tag.js';
import type { Database } from '../db/database.js';
import { lockObjectCounts } from '../environment/lock.js';
import { type Cursors, type PageRequest, pagedList } from '../http/cursor.js';
import type { Call, Operations } from '../http/operation.js';
import { pathRowReader } from '../http/path-row-reader.js';
import { refuseTaken } from '../http/problems.js';
import * as sql from './sql.js';

type TagOperations = Pick<Operations, 'listTags' | 'getTag' | 'updateTag' | 'deleteTag'>;

/** Engines do not know tags, so no change of a tag is in the feed. */
export function tagOperations(cursors: Cursors): TagOperations {
  const list = pagedList(cursors, 'listTags', 'tag');
  return {
    listTags: {
      check: list.errors,
      async handle(call, database) {
        const { caller, query } = call;
        const select = (page: PageRequest) => sql.listTags(database, caller.environment.id, query.search ?? null, page);
        return { body: await list.page(call, select, tagOfRow) };
      },
    },
    getTag: {
      handle: async (call, database) => ({ body: tagOfRow(await requireTag(call, database)) }),
    },
    updateTag: {
      handle: async (call, database) => ({ body: await renameTag(call, database) }),
    },
    deleteTag: {
      async handle(call, database) {
        await database.transaction(async (transaction) => {
          const row = await requireTag(call, transaction, sql.lockTag);
          call.requireMatch(tagOfRow(row));
          await sql.deleteTag(transaction, row.id);
        });
        return { body: undefined };
      },
    },
  };
}

function tagOfRow(row: sql.TagRow): Tag {
  const { id, name } = row;
  return { id, name, created_at: formatInstant(row.created_at.getTime()), updated_at: formatInstant(row.updated_at.getTime()) };
}

const requireTag = pathRowReader({ parameter: 'tag', kind: 'tag', noun: 'tag', find: sql.findTag });

function renameTag(call: Call<'updateTag'>, database: Database): Promise<Tag> {
  const { name } = call.body;
  return database.transaction(async (transaction) => {
    // Two tags that swap their names at once would otherwise wait for each other's name.
    await lockObjectCounts(transaction, call.caller.environment.id);
    const before = await requireTag(call, transaction, sql.lockTag);
    call.requireMatch(tagOfRow(before));
    if (name === before.name) return tagOfRow(before);
    const after = { ...before, name, updated_at: laterThan(before.updated_at, call.nowMs) };
    if (!(await sql.renameTag(transaction, after))) throw refuseTaken('/name', `There is already a tag "${name}".`);
    await sql.renameTagOfViews(transaction, call.caller.environment.id, { from: before.name, to: name, at: after.updated_at });
    return tagOfRow(after);
  });
}
