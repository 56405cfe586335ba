import t from 'tap';
import { taggedSql } from '../../../control-plane/click-figures/log/tagged-links.js';
import type { ClickStore } from '../../../control-plane/click-store/click-store.js';
import { clickHouseClicks } from '../../../control-plane/click-store/clickhouse/clickhouse-store.js';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { createParameters } from '../../../control-plane/db/parameters.js';
import { queryClicks } from '../../../control-plane/stats/query-clicks.js';
import { idToUuid, newId } from '../../../shared/base/ids.js';
import type { ClicksQuery } from '../../../shared/contract/schemas/clicks-query.js';
import { countLoggedClicks, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { copyClicks, openClickHouse, type TestClickHouse } from '../../support/clickhouse.js';
import { openPooledDatabase } from '../../support/open-database.js';

/** Tests a tag of many links in each store. */

const NOW = Date.parse('2026-11-20T12:00:00Z');
const TAGGED = 10_001;

const store = await openClickHouse(t);
if (store !== null) await tests(store);

async function tests(store: TestClickHouse): Promise<void> {
  const { url, client, database } = await openPooledDatabase(t);

  const environment = await makeEnvironment(client);
  const other = await makeEnvironment(client);
  for (const [environmentId, name] of [
    [environment.id, 'print'],
    [environment.id, 'Łódź'],
    [other.id, 'print'],
  ])
    await client.query(`INSERT INTO tags (id, environment_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())`, [
      newId('tag'),
      environmentId,
      name,
    ]);
  const makeLinks = async (count: number, environmentId: string, tags: readonly string[]): Promise<readonly string[]> => {
    const ids = Array.from({ length: count }, () => newId('link'));
    await client.query(
      `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at, tag_numbers)
       SELECT id, $2, id, '/', now(), now(), ARRAY(SELECT number FROM tags WHERE environment_id = $2 AND name = ANY ($3))
       FROM unnest($1::text[]) AS id`,
      [ids, environmentId, tags],
    );
    return ids;
  };
  const printed = await makeLinks(TAGGED, environment.id, ['print']);
  const both = await makeLinks(1, environment.id, ['print', 'Łódź']);
  const plain = await makeLinks(1, environment.id, []);
  const elsewhere = await makeLinks(1, other.id, ['print']);
  const clicked = [printed[0], printed[5_000], printed[TAGGED - 1], ...both, ...plain, ...elsewhere] as readonly string[];
  await logClicks(
    client,
    environment.number,
    clicked.flatMap((link, index) => Array.from({ length: index + 1 }, (_, visitor) => loggedClick(link, NOW, { visitor }))),
  );
  await copyClicks(database, store);
  await countLoggedClicks(url, NOW);

  const ask = (clickStore: ClickStore, query: ClicksQuery) =>
    queryClicks({ database, clickStore }, { environmentId: environment.id, query, retentionDays: 90, nowMs: NOW });

  for (const [name, clickStore] of [
    ['PostgreSQL', postgresClicks],
    ['ClickHouse', clickHouseClicks(store.clickHouse)],
  ] as const)
    t.test(`a tag of more than 10,000 links works as a filter and as a group: ${name}`, async (t) => {
      t.match((await ask(clickStore, { tag: 'print', interval: 'day' })).totals, { all: 1 + 2 + 3 + 4, human: 10, unique: 4 });
      t.match((await ask(clickStore, { tag: 'Łódź' })).totals, { all: 4 });
      t.match((await ask(clickStore, { tag: '' })).totals, { all: 5 + 6 });
      t.match((await ask(clickStore, { tag: 'none' })).totals, { all: 0 });
      const { breakdown } = await ask(clickStore, { breakdown: 'tag', host: 'h' });
      t.same(
        breakdown.map(({ value, all }) => [value, all]),
        [
          [null, 5 + 6],
          ['print', 1 + 2 + 3 + 4],
          ['Łódź', 4],
        ],
      );
      const links = await ask(clickStore, { tag: 'print', breakdown: 'link' });
      t.same(
        links.breakdown.map(({ value, all }) => [value, all]),
        [...clicked.slice(0, 4).entries()].map(([index, link]) => [link, index + 1]).reverse(),
      );
    });

  t.test('a query with more tagged links than ClickHouse can be sent is refused', async (t) => {
    const bounded = (links: number, taggings: number) => clickHouseClicks(store.clickHouse, { tagBounds: { links, taggings } });
    t.match((await ask(bounded(TAGGED + 1, 0), { tag: 'print' })).totals, { all: 10 });
    await t.rejects(ask(bounded(TAGGED, 0), { tag: 'print' }), {
      errors: [{ pointer: '/tag', detail: `is the tag of more than ${TAGGED} links. Filter by campaign` }],
    });
    const ofClicked = await ask(bounded(0, 6), { breakdown: 'tag' });
    t.match(
      ofClicked.breakdown,
      [{ value: null, all: 11 }, { value: 'print' }, { value: 'Łódź' }],
      'the limit applies to links with clicks only',
    );
    await t.rejects(ask(bounded(0, 4), { breakdown: 'tag' }), { errors: [{ pointer: '/breakdown', detail: /more than 4 tags/ }] });
  });

  t.test('PostgreSQL converts ids to UUIDs as the service does', async (t) => {
    const ids = [
      '00000000000000000000000000',
      '7zzzzzzzzzzzzzzzzzzzzzzzzz',
      '0123456789abcdefghjkmnpqrs',
      '5tvwxyz0123456789abcdefghj',
    ].map((digits) => `lnk_${digits}`);
    const parameters = createParameters();
    const tagged = taggedSql({ environmentId: other.id, tag: 'print' }, parameters);
    await client.query(
      `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at, tag_numbers)
       SELECT id, $2, id, '/', now(), now(), ARRAY(SELECT number FROM tags WHERE environment_id = $2) FROM unnest($1::text[]) AS id`,
      [ids, other.id],
    );
    const { rows } = await client.query<{ link: string }>(`SELECT link::text FROM ${tagged} AS tagged ORDER BY link`, [
      ...parameters.values,
    ]);
    t.same(
      rows.map(({ link }) => link),
      [...ids, ...elsewhere].map((id) => idToUuid('link', id)).sort(),
    );
  });
}
