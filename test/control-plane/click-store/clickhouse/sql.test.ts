import t from 'tap';
import type { ClickStore } from '../../../../control-plane/click-store/click-store.js';
import { clickHouseClicks } from '../../../../control-plane/click-store/clickhouse/clickhouse-store.js';
import { postgresClicks } from '../../../../control-plane/click-store/postgres-store.js';
import { queryClicks } from '../../../../control-plane/stats/query-clicks.js';
import { newId } from '../../../../shared/base/ids.js';
import { CLICK_DIMENSIONS, CLICK_MEASURES, type ClicksQuery } from '../../../../shared/contract/schemas/clicks-query.js';
import { countLoggedClicks, logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { copyClicks, openClickHouse, type TestClickHouse } from '../../../support/clickhouse.js';
import { openPooledDatabase } from '../../../support/open-database.js';
import { insertResourceType } from '../../../support/resource-type.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const RETENTION_DAYS = 400;

const store = await openClickHouse(t);
if (store !== null) await tests(store);

async function tests(store: TestClickHouse): Promise<void> {
  const { url, client, database } = await openPooledDatabase(t);
  const environment = await makeEnvironment(client);
  const resource_type = await insertResourceType(database, environment.id, 'product');
  const names = { campaign: 'spring', referrer_host: 'r.example', os: 'iOS', os_version: '17', browser: 'Safari', browser_version: '17' };
  const places = { region: 'DE-BE', city: 'Berlin' };
  // As many clicks with a value as without one, in every field.
  await logClicks(client, environment.number, [
    loggedClick(newId('link'), NOW, { ...names, ...places }),
    loggedClick(newId('urlTemplate'), NOW, { resource_type, item: 'i', country: null }),
  ]);
  await copyClicks(database, store);
  await countLoggedClicks(url, NOW);

  const ask = async (clickStore: ClickStore, query: ClicksQuery) => {
    const asked = { environmentId: environment.id, query, retentionDays: RETENTION_DAYS, nowMs: NOW };
    const { as_of: _, ...answer } = await queryClicks({ database, clickStore }, asked);
    return answer;
  };
  const clickHouse = clickHouseClicks(store.clickHouse);

  t.test('groups with as many clicks are in the same order in both stores, and the one without a value is last', async (t) => {
    for (const breakdown of CLICK_DIMENSIONS)
      for (const measure of CLICK_MEASURES) {
        // The second filter has PostgreSQL count the log, as it does without figures.
        const wanted = await ask(postgresClicks, { breakdown, measure, host: 'h' });
        t.strictSame(await ask(clickHouse, { breakdown, measure, host: 'h' }), wanted, `${breakdown} by ${measure}`);
        t.notOk(
          wanted.breakdown.slice(0, -1).some(({ value }) => value === null),
          breakdown,
        );
      }
  });

  t.test('a series has every hour of all days that are kept', async (t) => {
    const query: ClicksQuery = { interval: 'hour', host: 'h', from: '2025-10-17' };
    const wanted = await ask(postgresClicks, query);
    t.ok(wanted.series.length > (RETENTION_DAYS - 1) * 24);
    t.equal(wanted.totals.all, 2);
    t.strictSame(await ask(clickHouse, query), wanted);
  });
}
