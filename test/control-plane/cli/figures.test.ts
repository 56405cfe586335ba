import t from 'tap';
import { newId } from '../../../shared/base/ids.js';
import { countLoggedClicks, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { commandLine } from './command-line.js';

const { url, client } = await openPooledDatabase(t);
const { run, json } = commandLine(t, url);

const DAY_MS = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

t.test('a rebuild leaves correct figures alone, repairs altered ones, and ignores clicks that are not counted yet', async (t) => {
  const environment = await makeEnvironment(client);
  const other = await makeEnvironment(client, 'Pacific/Kiritimati');
  await client.query("SELECT ensure_day_partition('clicks', $1)", [day(12)]);
  const link = newId('link');
  const clicks = Array.from({ length: 30 }, (_, index) => loggedClick(link, Date.now() - (index % 10) * DAY_MS, { visitor: index }));
  await logClicks(client, environment.number, clicks);
  await logClicks(client, other.number, clicks);
  await countLoggedClicks(url, Date.now());
  await logClicks(client, environment.number, clicks.slice(0, 3));
  const figures = async () => (await client.query('SELECT * FROM click_figures ORDER BY 1, 2, 3, 4, 5, 6')).rows;
  const before = await figures();
  t.match(await json('figures rebuild'), { status: 0, value: { clicks: 60, changed: 0, days: Number, skipped: Number } });
  t.strictSame(await figures(), before, 'the rows are the same');

  await client.query('UPDATE click_figures SET clicks = clicks + 5, visitors = 0 WHERE environment_number = $1 AND day = $2', [
    environment.number,
    day(3),
  ]);
  await client.query('DELETE FROM click_figures WHERE environment_number = $1 AND day = $2', [other.number, day(4)]);
  t.match(await json(`figures rebuild --from ${day(3)} --to ${day(3)} --env ${environment.id}`), {
    value: { from: day(3), to: day(3), days: 1, clicks: 3, changed: 1 },
  });
  t.match(await json('figures rebuild'), { value: { changed: 1 } });
  t.strictSame(await figures(), before);
  await countLoggedClicks(url, Date.now());
  const { rows } = await client.query(
    `SELECT sum(clicks)::integer AS clicks, sum(visitors)::integer AS visitors FROM click_figures WHERE environment_number = $1 AND dimension = 'total'`,
    [environment.number],
  );
  t.strictSame(rows, [{ clicks: 33, visitors: 30 }], 'visitors who were counted before are not counted again');
});

t.test('days that are no longer kept by CLICK_RETENTION_DAYS are not counted', async (t) => {
  const { run, json } = commandLine(t, url, '', 7);
  t.match(await json('figures rebuild'), { status: 0, value: { from: day(7) } });
  const { status, stderr } = await run(`figures rebuild --from ${day(8)}`);
  t.match({ status, stderr }, { status: 2, stderr: `figures are kept from ${day(7)} on` });
});

t.test('days without a click log keep their figures', async (t) => {
  const environment = await makeEnvironment(client);
  await client.query("SELECT ensure_day_partition('click_figures', $1)", [day(20)]);
  await client.query(`INSERT INTO click_figures VALUES ($1, $2, 'total', '', '00000000-0000-0000-0000-000000000000', '', 7, 7, 7)`, [
    environment.number,
    day(20),
  ]);
  await client.query(`DO $$ DECLARE child text; BEGIN
    FOR child IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'clicks'::regclass AND right(inhrelid::regclass::text, 8) < to_char(now() - interval '12 days', 'YYYYMMDD')
    LOOP EXECUTE format('DROP TABLE %s', child); END LOOP; END $$`);
  const { value } = await json(`figures rebuild --env ${environment.id} --from ${day(20)} --to ${day(5)}`);
  t.match(value, { changed: 0, clicks: 0 });
  t.equal(value.days + value.skipped, 16);
  t.ok(value.skipped >= 8);
  t.equal((await client.query('SELECT 1 FROM click_figures WHERE environment_number = $1', [environment.number])).rowCount, 1);
});

t.test('malformed days and days out of range are refused with a message', async (t) => {
  for (const [line, status, message] of [
    ['figures rebuild --from yesterday', 2, 'yesterday'],
    [`figures rebuild --from ${day(40)}`, 2, 'figures are kept from'],
    [`figures rebuild --to ${day(-3)}`, 2, 'has not begun'],
    [`figures rebuild --from ${day(1)} --to ${day(2)}`, 2, '--to'],
    ['figures rebuild --env env_none', 3, 'env_none'],
  ] as const) {
    const answer = await run(line);
    t.equal(answer.status, status, line);
    t.match(answer.stderr, message);
  }
});
