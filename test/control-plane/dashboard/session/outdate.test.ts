import { type Query, QueryClient, QueryObserver } from '@tanstack/react-query';
import t, { type Test } from 'tap';
import { outdate, refreshInterval } from '../../../../control-plane/dashboard/session/outdate.js';

const pages = (count: number) => ({ pages: Array.from({ length: count }, () => ({ data: [], next_cursor: null })), pageParams: [] });

/** Lists of an environment that have been read. `reads` records each time an active list is read again. */
function lists(t: Test) {
  const client = new QueryClient({
    defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY } },
  });
  t.teardown(() => client.clear());
  const reads: string[] = [];
  const add = (name: string, count: number, { path = '/links', active = true, environment = 'live' } = {}) => {
    const queryKey = [environment, path, name];
    client.setQueryData(queryKey, pages(count));
    const queryFn = async () => {
      reads.push(name);
      return pages(count);
    };
    if (active) t.teardown(new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {}));
    return () => client.getQueryState(queryKey);
  };
  return { client, reads, add };
}

t.test('after a change shown lists are read again, except for long ones', async (t) => {
  const { client, reads, add } = lists(t);
  add('short', 20);
  add('long', 21);
  add('other path', 1, { path: '/campaigns' });
  add('other environment', 1, { environment: 'test' });
  const before = add('short before', 2, { active: false });
  const longBefore = add('long before', 21, { active: false });
  await outdate(client, { environment: 'live', prefixes: ['/links', '/tags'], made: false });
  t.same(reads, ['short']);
  t.equal(before()?.isInvalidated, true, 'a short list is read again when it is shown');
  t.equal(longBefore()?.isInvalidated, false, 'a long list is kept');
});

t.test('after a creation long lists are read again too', async (t) => {
  const { client, reads, add } = lists(t);
  add('long', 21);
  const before = add('short before', 2, { active: false });
  const longBefore = add('long before', 21, { active: false });
  await outdate(client, { environment: 'live', prefixes: ['/links'], made: true });
  t.same(reads, ['long']);
  t.equal(before()?.isInvalidated, true);
  t.equal(longBefore(), undefined, 'a long list that is not shown begins again at its first page');
});

t.test('a list is read again by itself as its rows demand, and a long one never', async (t) => {
  const query = (count: number) => ({ state: { data: pages(count) } }) as unknown as Query;
  t.equal(refreshInterval(query(20), 5000), 5000);
  t.equal(
    refreshInterval(query(20), (rows) => 1000 + rows.length),
    1000,
  );
  t.equal(refreshInterval(query(21), 5000), false);
  t.equal(
    refreshInterval(query(21), () => 1000),
    false,
  );
  t.equal(refreshInterval(query(1), undefined), false);
});
