import t from 'tap';
import { sharedSettings } from '../../../shared/base/service-settings.js';
import { readSettings } from '../../../shared/base/settings.js';
import { chosenClickHouse } from '../../../shared/clickhouse/chosen-store.js';
import { ClickHouse } from '../../../shared/clickhouse/connection.js';

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

t.test('what the client would refuse later, or what would override its limits, is refused at start', (t) => {
  for (const [url, message] of [
    ['http://clickhouse:8123/clicks?secure=true', /expected no parameters/],
    ['http://clickhouse:8123/clicks?database=other', /expected no parameters/],
    ['http://clickhouse:8123/clicks?request_timeout=1', /expected no parameters/],
    ['http://user:100%@clickhouse:8123/clicks', /must be written as %25/],
  ] as const)
    t.throws(() => chosen({ CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: url }), { message });
  for (const url of [
    'http://user:100%25@clickhouse:8123/clicks',
    'http://clickhouse:8123/clicks?ch_insert_quorum=2&http_header_x-tenant=a&pathname=proxied',
  ]) {
    t.equal(chosen({ CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: url }), url);
    t.doesNotThrow(() => new ClickHouse({ url, timeoutMs: 1_000, application: 'test' }));
  }
  t.end();
});
