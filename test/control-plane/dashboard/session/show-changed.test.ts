import { QueryClient } from '@tanstack/react-query';
import t from 'tap';
import { showChanged } from '../../../../control-plane/dashboard/session/show-changed.js';

const row = (id: string, status: string) => ({ id, status, clicks: 7 });
const pages = () => ({
  pages: [
    { data: [row('a', 'active'), row('b', 'active')], next_cursor: 'c1' },
    { data: [row('c', 'active')], next_cursor: null },
  ],
  pageParams: [null, 'c1'],
});

t.test('a change or deletion is shown at once in every page of the lists, and fields that only the list has are kept', async (t) => {
  const client = new QueryClient();
  const key = (environment: string, path: string) => [environment, path, { query: {} }, 'pages'];
  for (const [environment, path] of [
    ['live', '/links'],
    ['test', '/links'],
    ['live', '/campaigns'],
  ] as const)
    client.setQueryData(key(environment, path), pages());
  client.setQueryData(['live', '/links/{link}', { params: { link: 'c' } }], row('c', 'active'));
  showChanged(client, { environment: 'live', path: '/links', changed: [{ id: 'c', status: 'disabled' }, undefined], deleted: ['a'] });
  const shown = client.getQueryData<ReturnType<typeof pages>>(key('live', '/links'));
  t.same(shown?.pages[1]?.data, [row('c', 'disabled')]);
  t.same(shown?.pages[0], { data: [row('b', 'active')], next_cursor: 'c1' }, 'a deleted object is removed');
  t.same(client.getQueryData(key('test', '/links')), pages(), 'another environment is not changed');
  t.same(client.getQueryData(key('live', '/campaigns')), pages(), 'another list is not changed');
});
