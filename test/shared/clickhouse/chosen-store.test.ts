import t from 'tap';
import { sharedSettings } from '../../../shared/base/service-settings.js';
import { readSettings } from '../../../shared/base/settings.js';
import { chosenClickHouse } from '../../../shared/clickhouse/chosen-store.js';

const table = { clickStore: sharedSettings.clickStore, clickHouseUrl: sharedSettings.clickHouseUrl };
const chosen = (environment: NodeJS.ProcessEnv) => chosenClickHouse(readSettings(table, environment));

t.test('clicks go to ClickHouse only if both settings say so', (t) => {
  const url = 'https://user:secret@clickhouse:8443/clicks';
  t.equal(chosen({}), null);
  t.equal(chosen({ CLICKHOUSE_URL: url }), null);
  t.equal(chosen({ CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: url }), url);
  t.throws(() => chosen({ CLICK_STORE: 'clickhouse' }), { message: 'CLICKHOUSE_URL is missing: CLICK_STORE is clickhouse' });
  t.throws(() => chosen({ CLICK_STORE: 'mysql' }), { message: /CLICK_STORE is malformed/ });
  for (const malformed of ['clickhouse', 'tcp://clickhouse:9000'])
    t.throws(() => chosen({ CLICKHOUSE_URL: malformed }), { message: /^CLICKHOUSE_URL is malformed: expected a URL/ });
  t.end();
});
