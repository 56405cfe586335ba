import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { environmentStats } from '../../../control-plane/stats/environment-stats.js';
import { newId } from '../../../shared/base/ids.js';
import {
  countByHand,
  countLoggedClicks,
  killWaiting,
  type LoggedClick,
  logClicks,
  loggedClick,
  makeEnvironment,
} from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { commandLine } from './command-line.js';

const { url, client, database } = await openPooledDatabase(t);
const { run, json } = commandLine(t, url);

const HOUR_MS = 3_600_000;
/** Half past noon of yesterday. At any time of day, the three days before it touch the same four dates. */
const NOW = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`) - 11.5 * HOUR_MS;
const link = newId('link');
const day = (hoursAgo: number) => new Date(NOW - hoursAgo * HOUR_MS).toISOString().slice(0, 10);

interface Environment {
  readonly id: string;
  readonly number: number;
}

/** One click an hour over three days. Every other one is by a scanner that looks like a person. */
async function scannedClicks(zone: string): Promise<{ environment: Environment; clicks: LoggedClick[] }> {
  const environment = await makeEnvironment(client, zone);
  // The log begins before its first click, as with a real control plane.
  await client.query("SELECT ensure_day_partition('clicks', $1)", [day(96)]);
  const clicks = Array.from({ length: 72 }, (_, hour) =>
    loggedClick(link, NOW - hour * HOUR_MS - 1000, {
      visitor: hour * 2 + (hour % 2),
      user_agent: hour % 2 === 0 ? 'Mozilla/5.0 (X11) AcmeScanner/2.1' : 'Mozilla/5.0 (X11) Firefox/140.0',
      address_hash: createHash('sha256')
        .update(`${hour % 2} ${day(hour)}`)
        .digest()
        .subarray(0, 8),
    }),
  );
  await logClicks(client, environment.number, clicks.slice(0, 40));
  await countLoggedClicks(url, NOW);
  await logClicks(client, environment.number, clicks.slice(40));
  return { environment, clicks };
}

async function totals(environment: Environment) {
  return (await environmentStats({ database, clickStore: postgresClicks }, environment.id, { range: '7d', interval: 'day' }, NOW)).totals;
}

t.test('a dry run reports what a pattern would reclassify, and the run changes clicks and all figures', async (t) => {
  const { environment, clicks } = await scannedClicks('Asia/Kathmandu');
  // The other clicks wait to be counted.
  const before = countByHand(clicks.slice(0, 40));
  t.strictSame(await totals(environment), before);
  const command = ['clicks', 'reclassify', '--ua', 'acmescanner/[0-9]', '--from', day(72), '--to', day(0), '--env', environment.id];
  const dry = await json([...command, '--dry-run']);
  t.match(dry, { status: 0, value: { dry_run: true, clicks: 36, user_agents: 1, examples: ['Mozilla/5.0 (X11) AcmeScanner/2.1'] } });
  t.strictSame(await totals(environment), before, 'the dry run changes nothing');
  const done = await json([...command, '--reason', 'acme']);
  t.match(done, { status: 0, value: { dry_run: false, clicks: 36, visitors: 36 } });
  t.strictSame(done.value.days, dry.value.days);
  const after = clicks.map((click) => ({ ...click, bot: click.user_agent?.includes('Acme') ?? false }));
  t.strictSame(await totals(environment), countByHand(after.slice(0, 40)));
  await countLoggedClicks(url, NOW);
  t.strictSame(await totals(environment), countByHand(after), 'figures of clicks that were counted later are right too');
  const { rows } = await client.query(
    'SELECT bot_reason, count(*)::integer AS clicks FROM clicks WHERE environment_number = $1 GROUP BY 1 ORDER BY 1',
    [environment.number],
  );
  t.strictSame(rows, [
    { bot_reason: 'acme', clicks: 36 },
    { bot_reason: null, clicks: 36 },
  ]);
  t.match(await json(command), { status: 0, value: { clicks: 0, days: [] } }, 'a second run changes nothing');
  t.match(await json(`figures rebuild --env ${environment.id}`), { status: 0, value: { changed: 0, clicks: 72 } });
});

t.test('clicks are reclassified by address hashes, each of which belongs to one day', async (t) => {
  const { environment, clicks } = await scannedClicks('UTC');
  const file = join(t.testdir(), 'hashes');
  const hash = clicks[26]?.address_hash?.toString('hex') as string;
  writeFileSync(file, `${hash.toUpperCase()}\r\n\n`);
  const command = `clicks reclassify --address-hashes ${file} --from ${day(72)} --to ${day(0)} --env ${environment.id}`;
  const expected = clicks.filter(({ address_hash }) => address_hash?.toString('hex') === hash).length;
  t.match(await json(command), { status: 0, value: { clicks: expected, days: [{ day: day(26), clicks: expected }] } });
  await countLoggedClicks(url, NOW);
  t.equal((await totals(environment)).human, 72 - expected);
});

t.test('after a killed run log and figures agree, and the next run finishes the work', async (t) => {
  const { environment, clicks } = await scannedClicks('UTC');
  await countLoggedClicks(url, NOW);
  // The run waits for this lock on the second day, and its session is killed there.
  const locked = day(48);
  await client.query('BEGIN');
  await client.query(
    `SELECT 1 FROM clicks WHERE environment_number = $1 AND occurred_at >= $2 AND occurred_at < $2::timestamptz + interval '1 day' FOR UPDATE`,
    [environment.number, `${locked}T00:00:00Z`],
  );
  const command = ['clicks', 'reclassify', '--ua', 'AcmeScanner', '--from', day(72), '--to', day(0), '--env', environment.id];
  const killed = run(command);
  await killWaiting(database, 'UPDATE clicks');
  t.match(await killed, { status: 4, stderr: /PostgreSQL/ });
  await client.query('ROLLBACK');
  const isMarked = ({ user_agent, at }: LoggedClick) => (user_agent?.includes('Acme') ?? false) && at < Date.parse(`${locked}T00:00:00Z`);
  const halfway = countByHand(clicks.map((click) => ({ ...click, bot: isMarked(click) })));
  t.ok(halfway.human < 72, 'the killed run finished a day');
  t.strictSame(await totals(environment), halfway);
  t.equal((await run(command)).status, 0);
  t.equal((await totals(environment)).human, 36);
});

t.test('a wrong command line is refused with a message, and nothing changes', async (t) => {
  const environment = await makeEnvironment(client);
  const dir = t.testdir({ bad: '0123456789abcdef\nnothing\n', empty: '\n' });
  const span = '--from 2026-11-01 --to 2026-11-02';
  for (const [line, status, message] of [
    [`clicks reclassify ${span}`, 2, '--ua or --address-hashes'],
    ['clicks copy --day 2026-11-01', 2, 'stored in PostgreSQL'],
    [`clicks reclassify ${span} --ua a --address-hashes b`, 2, '--ua or --address-hashes'],
    [`clicks reclassify ${span} --ua [`, 2, 'not a valid regular expression'],
    [`clicks reclassify ${span} --ua=`, 2, 'an empty pattern'],
    [`clicks reclassify ${span} --ua a --reason Big`, 2, '--reason'],
    [`clicks reclassify ${span} --ua a --env env_none`, 3, 'env_none'],
    [`clicks reclassify --from 2026-11-31 --to 2026-12-01 --ua a`, 2, '2026-11-31'],
    [`clicks reclassify --from 2026-11-02 --to 2026-11-01 --ua a`, 2, '--to must be later'],
    [`clicks reclassify ${span} --address-hashes ${join(dir, 'none')}`, 3, 'ENOENT'],
    [`clicks reclassify ${span} --address-hashes ${join(dir, 'bad')}`, 2, 'line 2'],
    [`clicks reclassify ${span} --address-hashes ${join(dir, 'empty')}`, 2, 'no hash'],
    [`clicks export ${span} --env ${environment.id} --format xml`, 2, 'xml'],
    [`clicks export ${span} --env ${environment.id}`, 2, '--format'],
    [`clicks export ${span} --env ${environment.id} --format csv --resume`, 2, '--output'],
    [`clicks export ${span} --env ${environment.id} --format csv --output ${dir}`, 1, 'exists'],
    [`clicks export ${span} --env ${environment.id} --format csv --output ${join(dir, 'bad')}`, 1, 'exists'],
    [`clicks export ${span} --env ${environment.id} --format csv --output ${join(dir, 'bad')} --resume`, 1, 'is not an export'],
    [`clicks export ${span} --env ${environment.id} --format ndjson --output ${join(dir, 'bad')} --resume`, 1, 'is not an export'],
    [`clicks export ${span} --env ${environment.id} --format csv --output ${join(dir, 'none', 'a')}`, 3, 'ENOENT'],
  ] as const) {
    const answer = await run(line);
    t.equal(answer.status, status, line);
    t.match(answer.stderr, message);
    t.equal(answer.stdout, '');
  }
  t.equal(readFileSync(join(dir, 'bad'), 'utf8'), '0123456789abcdef\nnothing\n');
});

/** Clicks of three days in one environment, with texts that are awkward in CSV, and a click of another environment. */
async function exportedClicks(): Promise<Environment> {
  const environment = await makeEnvironment(client);
  const other = await makeEnvironment(client);
  const paths = ['a', '=1+1', 'two\nlines', '"q"', 'a,b', 'ü😀'];
  const clicks = Array.from({ length: 3700 }, (_, index) =>
    loggedClick(link, Date.parse('2026-11-03T12:00:00Z') - index * 60_000, { path: paths[index % paths.length] as string, visitor: index }),
  );
  await logClicks(client, environment.number, clicks);
  await logClicks(client, other.number, [loggedClick(link, '2026-11-02T12:00:00Z')]);
  return environment;
}

t.test('an export has every click of the period once, oldest first, in both formats', async (t) => {
  const environment = await exportedClicks();
  const options = `--env ${environment.id} --from 2026-11-01 --to 2026-11-03`;
  const { status, stdout } = await run(`clicks export ${options} --format ndjson`);
  t.equal(status, 0);
  const lines = stdout.trimEnd().split('\n');
  const clicks = lines.map((line) => JSON.parse(line) as { id: string; occurred_at: string; path: string });
  t.equal(clicks.length, 3601, 'the export has the clicks from midnight of the first day to noon of the third');
  t.equal(new Set(clicks.map(({ id }) => id)).size, clicks.length);
  t.strictSame(
    clicks.map(({ occurred_at }) => occurred_at),
    clicks.map(({ occurred_at }) => occurred_at).toSorted(),
  );
  t.match(clicks[0], { occurred_at: '2026-11-01T00:00:00.000Z' });
  const csv = await run(`clicks export ${options} --format csv`);
  t.match(csv.stdout, /^id,occurred_at,kind,link,/);
  t.equal(csv.stdout.match(/\r\n/g)?.length, clicks.length + 1);
  const hour = await run(
    `clicks export --env ${environment.id} --from 2026-11-03T10:00:00+01:00 --to 2026-11-03T10:30:00Z --format ndjson`,
  );
  t.equal(hour.stdout.trimEnd().split('\n').length, 90, 'the period includes its first instant and excludes its last');
});

for (const format of ['csv', 'ndjson'])
  t.test(`${format}: an export that was cut off at any byte is resumed to the same file`, async (t) => {
    const environment = await exportedClicks();
    const file = join(t.testdir(), 'clicks');
    const command = `clicks export --env ${environment.id} --from 2026-11-01 --to 2026-11-03 --format ${format} --output ${file}`;
    t.match(await json(command), { status: 0, value: { file, resumed_after: null } });
    const whole = readFileSync(file);
    t.match(await json(`${command} --resume`), { status: 0, value: { clicks: 0 } }, 'a resumed complete export adds nothing');
    t.ok(readFileSync(file).equals(whole));
    for (const bytes of [0, 10, 400, 401, 700, whole.length - 1, Math.floor(whole.length / 2), Math.floor(whole.length / 3)]) {
      writeFileSync(file, whole);
      truncateSync(file, bytes);
      const resumed = await json(`${command} --resume`);
      t.equal(resumed.status, 0);
      t.ok(readFileSync(file).equals(whole), `cut off after ${bytes} bytes`);
    }
    appendFileSync(file, 'torn');
    t.match(await json(`${command} --resume`), { status: 0, value: { clicks: 0 } });
    t.ok(readFileSync(file).equals(whole));
  });

t.test('an audit counts clicks that are stored more than once, and fails if there are any', async (t) => {
  const environment = await makeEnvironment(client);
  const at = NOW - 96 * HOUR_MS;
  await logClicks(
    client,
    environment.number,
    [1, 2, 3].map((visitor) => loggedClick(link, at, { visitor })),
  );
  const command = `clicks audit --from ${day(96)} --to ${day(96)}`;
  t.match(await json(command), { status: 0, value: { days: [{ day: day(96), doubled: 0 }], batches: 0, oldest: null } });
  await client.query('INSERT INTO clicks SELECT * FROM clicks WHERE environment_number = $1 LIMIT 2', [environment.number]);
  t.match(await run(command), { status: 1, stderr: /2 clicks are stored more than once/ });
});

t.test('commands with an end far ahead look at the days that there are, and make no days of the future', async (t) => {
  const { environment } = await scannedClicks('UTC');
  const days = async () => (await client.query("SELECT relname FROM pg_class WHERE relname ~ '^click.*_20' ORDER BY 1")).rows;
  const span = `--from ${day(72)} --to 9999-12-31`;
  t.equal((await json(`clicks reclassify --ua acmescanner ${span} --env ${environment.id}`)).value.clicks, 36);
  const before = await days();
  t.ok(before.length > 0);
  t.equal((await json(`clicks reclassify --ua acmescanner ${span} --dry-run --env ${environment.id}`)).value.clicks, 0);
  t.equal((await json(`clicks audit ${span}`)).status, 0);
  t.equal((await run(`clicks export ${span} --env ${environment.id} --format ndjson`)).stdout.split('\n').length - 1, 72);
  t.same(await days(), before);
  // Tables have days for a week ahead.
  const latest = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  t.same(
    before.filter(({ relname }) => relname.replaceAll(/\D/g, '').slice(0, 8) > latest),
    [],
  );
});
