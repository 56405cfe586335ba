import t from 'tap';
import { clickStoreFindings } from '../../../deploy/doctor/click-store.js';

t.test('a store of clicks is looked at where there is one besides PostgreSQL', async (t) => {
  t.same(await clickStoreFindings({}), []);
  t.match(await clickStoreFindings({ CLICK_STORE: 'clickhouse' }), [
    { check: 'clickhouse', status: 'failure', repair: 'set CLICKHOUSE_URL' },
  ]);
  t.match(await clickStoreFindings({ CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: 'http://127.0.0.1:1/clicks' }), [
    { check: 'clickhouse', status: 'failure', text: /ClickHouse is out of reach/, repair: /linkd migrate/ },
  ]);
});
