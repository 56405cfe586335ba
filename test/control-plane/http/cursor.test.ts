import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createCursors, type PageRequest, pagedList, pageOf } from '../../../control-plane/http/cursor.js';
import { idAt } from '../../../shared/base/ids.js';

const key = (id: string) => [id, randomBytes(32)] as const;
const old = key('old');
const current = key('new');

t.test('a cursor can be read by every server with its key, also after a rotation', async (t) => {
  const id = idAt('link', 1_700_000_000_000);
  const before = createCursors({ current: 'old', keys: new Map([old]) });
  const after = createCursors({ current: 'new', keys: new Map([current, old]) });
  const stranger = createCursors({ current: 'x', keys: new Map([key('x')]) });
  const cursor = before.encode('list', 'link', id);
  for (const cursors of [before, after]) t.same(cursors.decode('list', 'link', cursor), { id, place: null });
  t.equal(stranger.decode('list', 'link', cursor), null);
  t.equal(before.decode('list', 'link', after.encode('list', 'link', id)), null);
  t.equal(before.decode('other', 'link', cursor), null);
});

t.test('the last page and an empty page have no cursor', async (t) => {
  const cursors = createCursors({ current: 'old', keys: new Map([old]) });
  const items = [3, 2, 1].map((time) => ({ id: idAt('link', time) }));
  t.equal(pageOf(cursors, 'list', 'link', { items: [], limit: 3 }).next_cursor, null);
  t.equal(pageOf(cursors, 'list', 'link', { items, limit: 3 }).next_cursor, null);
  const page = pageOf(cursors, 'list', 'link', { items, limit: 2 });
  t.same(page.data, items.slice(0, 2));
  t.same(cursors.decode('list', 'link', page.next_cursor as string), { id: items[1]?.id, place: null });
});

t.test('a cursor holds the place of the last row, and an altered cursor is refused', async (t) => {
  const cursors = createCursors({ current: 'old', keys: new Map([old]) });
  const id = idAt('link', 1);
  for (const place of [0, 1, 2 ** 40, 2 ** 48 - 1])
    t.same(cursors.decode('list', 'link', cursors.encode('list', 'link', id, place)), { id, place });
  const bytes = Buffer.from(cursors.encode('list', 'link', id, 7), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] as number) ^ 1;
    t.equal(cursors.decode('list', 'link', altered.toString('base64url')), null);
  }
});

t.test('a list continues behind its last page, and takes no cursor of another environment or list', async (t) => {
  const cursors = createCursors({ current: 'old', keys: new Map([old]) });
  const list = pagedList(cursors, 'listTags', 'tag');
  const caller = { environment: { id: 'env_1' } };
  const rows = [3, 2, 1].map((time) => ({ id: idAt('tag', time), time }));
  const select = async ({ belowId, limit }: PageRequest) => rows.filter(({ id }) => belowId === null || id < belowId).slice(0, limit + 1);
  const first = await list.page({ caller, query: { limit: 2 } }, select, ({ time }) => time);
  t.same(first.data, [3, 2]);
  const cursor = first.next_cursor as string;
  t.same(await list.page({ caller, query: { limit: 2, cursor } }, select, ({ time }) => time), { data: [1], next_cursor: null });
  t.same(list.errors({ caller, query: { cursor } }), []);
  t.match(list.errors({ caller: { environment: { id: 'env_2' } }, query: { cursor } }), [{ code: 'invalid_cursor' }]);
  t.match(pagedList(cursors, 'listViews', 'tag').errors({ caller, query: { cursor } }), [{ code: 'invalid_cursor' }]);
});
