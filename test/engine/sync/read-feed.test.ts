import t from 'tap';
import { readFeed } from '../../../engine/sync/sql.js';
import { configFixture } from './config-fixture.js';

t.test('rows come in order from the position on, with the number of their environment', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const ids = [await fixture.createLink('a'), await fixture.createLink('b', '/', 1), await fixture.createLink('c')];
  await fixture.assignSilently();
  await fixture.createLink('not numbered');
  await fixture.pool.query(
    "INSERT INTO config_feed (position, kind, environment_id, object_id) VALUES (4, 'kind of tomorrow', 'env_gone', 'x_1')",
  );
  const client = await fixture.pool.connect();
  t.teardown(() => client.release());
  const rows = await readFeed(client, 2, 10);
  t.strictSame(
    rows.map(({ mark, ...row }) => ({ ...row, mark: mark.replace(/@\d+\.\d+$/, '') })),
    [
      {
        position: 2,
        mark: '2',
        kind: 'link',
        environment_id: fixture.environmentIds[1],
        environment_number: 2,
        object_id: ids[1],
        object_key: 'b',
        is_creation: true,
      },
      {
        position: 3,
        mark: '3',
        kind: 'link',
        environment_id: fixture.environmentIds[0],
        environment_number: 1,
        object_id: ids[2],
        object_key: 'c',
        is_creation: true,
      },
      {
        position: 4,
        mark: '5',
        kind: 'kind of tomorrow',
        environment_id: 'env_gone',
        environment_number: null,
        object_id: 'x_1',
        object_key: null,
        is_creation: false,
      },
    ],
  );
  t.equal((await readFeed(client, 0, 2)).length, 2);
  t.strictSame(await readFeed(client, 5, 2), []);
});
