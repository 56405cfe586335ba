import t from 'tap';
import { clickStoreFindings } from '../../../deploy/doctor/click-store.js';
import { makeClickTables } from '../../../shared/clickhouse/click-table.js';
import { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { openClickHouse } from '../../support/clickhouse.js';
import { repairFault } from './repair-rule.js';

t.test('the store of clicks is checked only if it is ClickHouse, and one that is missing or unreachable is a failure', async (t) => {
  t.same(await clickStoreFindings({}), []);
  const unset = await clickStoreFindings({ CLICK_STORE: 'clickhouse' });
  t.match(unset, [{ check: 'clickhouse', status: 'failure', repair: /^CLICKHOUSE_URL=/ }]);
  const away = await clickStoreFindings({ CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: 'http://127.0.0.1:1/clicks' });
  t.match(away, [{ check: 'clickhouse', status: 'failure', text: /ClickHouse cannot be reached/, repair: /linkd migrate/ }]);
  for (const finding of [...unset, ...away]) t.equal(repairFault(finding), '');
});

t.test('ClickHouse with its tables is ok, and a missing table or column is a failure that a migration repairs', async (t) => {
  const opened = await openClickHouse(t);
  if (opened === null) return;
  const environment = { CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: opened.url };
  t.match(await clickStoreFindings(environment), [{ check: 'clickhouse', status: 'ok', text: /every column/, repair: null }]);
  const clickHouse = new ClickHouse({ url: opened.url, timeoutMs: 30_000, application: 'link-service-test' });
  t.teardown(() => clickHouse.close());
  for (const table of ['clicks', 'click_sums']) {
    await clickHouse.run(`DROP TABLE ${table}`);
    t.match(await clickStoreFindings(environment), [{ check: 'clickhouse', status: 'failure', repair: /linkd migrate/ }], table);
    await makeClickTables(clickHouse);
  }
  for (const column of ['city', 'address_hash', 'params_dropped']) {
    await clickHouse.run(`ALTER TABLE clicks DROP COLUMN ${column}`);
    t.match(await clickStoreFindings(environment), [{ check: 'clickhouse', status: 'failure', repair: /linkd migrate/ }], column);
  }
  await makeClickTables(clickHouse);
  t.match(await clickStoreFindings(environment), [{ status: 'ok' }], 'what linkd migrate does repairs it');
});
