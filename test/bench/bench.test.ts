import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readOptions } from '../../bench/options.js';
import { chosenParts } from '../../bench/parts.js';
import { UWS_MISSING } from '../support/uws.js';

const MAIN = fileURLToPath(new URL('../../bench/main.js', import.meta.url));

function run(
  ...parameters: readonly string[]
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...parameters], { timeout: 200_000 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

// Nothing is timed here, because the runs share the machine.
t.jobs = 2;

t.test('a short run measures every server in every scenario, and none of its requests fails', { skip: UWS_MISSING }, async (t) => {
  const file = join(t.testdir(), 'figures.json');
  const keys = ['bare', 'floor', 'header', 'node'];
  const { code, stdout, stderr } = await run(
    ...['redirect', '--links', '2000', '--rounds', '1', '--seconds', '1', '--warm-up', '0', '--json', file],
    ...['--servers', keys.join(','), '--clients', 'autocannon'],
  );
  t.equal(code, 0, stderr);
  const { redirect, links } = JSON.parse(readFileSync(file, 'utf8'));
  t.equal(links, 2000);
  for (const scenario of ['64 connections', '64 connections, pipelined 16'])
    for (const key of keys) {
      const row = redirect.find(
        (candidate: { scenario: string; key: string; client: string }) =>
          candidate.scenario === scenario && candidate.key === key && candidate.client === 'autocannon',
      );
      t.match(row, { invalid: null, failures: 0 }, `${key}, ${scenario}`);
      t.match(stdout, row.contender);
      t.ok(row.requests_per_second.median > 0 && row.cpu_us_per_request.median > 0, JSON.stringify(row));
    }
});

t.test('in a short run the statistics equal the visits', async (t) => {
  const file = join(t.testdir(), 'figures.json');
  const { code, stdout, stderr } = await run(
    ...['counting', '--links', '50', '--seconds', '2', '--rate', '200', '--after', '1', '--json', file],
  );
  t.equal(code, 0, `${stdout}\n${stderr}`);
  const { counting } = JSON.parse(readFileSync(file, 'utf8'));
  t.match(counting, { links: 50, rate: 200, visits: 400, differences: [], unanswered: 0, dropped_clicks: 0, other_statuses: {} });
  t.type(counting.complete_seconds, 'number');
  t.ok(counting.costs.postgres_us > 0 && counting.costs.wal_bytes > 0, JSON.stringify(counting.costs));
  t.ok(counting.tables.find(({ table }: { table: string }) => table === 'clicks').mb > 0);
  t.ok(counting.statistics.during.length > 0 && counting.statistics.after.length > 0);
  t.match(stdout, 'equal to the visits');
});

t.test('a short run answers every visitor in each of its parts', async (t) => {
  const file = join(t.testdir(), 'figures.json');
  const { code, stdout, stderr } = await run(...['tail', '--links', '2000', '--seconds', '1', '--rate', '300', '--json', file]);
  t.equal(code, 0, `${stdout}\n${stderr}`);
  const { tail } = JSON.parse(readFileSync(file, 'utf8'));
  t.equal(tail.parts.length, 5);
  for (const part of tail.parts) {
    t.match(part, { failed: 0 }, part.part);
    t.ok(part.answered > 0 && part.p50_ms > 0 && part.p50_ms <= part.p99_ms && part.p99_ms <= part.p999_ms, JSON.stringify(part));
    t.match(stdout, part.part);
  }
  t.ok(tail.created_per_second > 0);
});

/** Wakes are counted, and not time, because the machine is busy: a timer of ten milliseconds is a hundred of them. */
const WAKES_MAX = { 'control plane': 80, 'engine, main': 40, 'engine, redirect': 2 * 50, 'engine, background': 80 };

t.test('a service that nobody uses seldom wakes up', async (t) => {
  const file = join(t.testdir(), 'figures.json');
  const { code, stdout, stderr } = await run(...['idle', '--warm-up', '10', '--seconds', '10', '--json', file]);
  t.equal(code, 0, `${stdout}\n${stderr}`);
  const { idle } = JSON.parse(readFileSync(file, 'utf8'));
  for (const [name, max] of Object.entries(WAKES_MAX)) {
    const wakes = idle.processes.find((process: { name: string }) => process.name === name)?.wakes_per_second;
    t.ok(wakes > 0 && wakes < max, `${name} woke ${wakes} times a second`);
    t.match(stdout, name);
  }
});

const MISTAKES = [
  [['teapot'], /^there is no bench "teapot"/],
  [['--links', '0'], /^--links: expected a whole number/],
  [['--seconds', 'x'], /^--seconds: expected a number/],
  [['counting', '--backlog', '0'], /^--backlog: expected a whole number/],
  [['--fast'], /^Unknown option '--fast'/],
] as const;

t.test('a mistake in the command is named', async (t) => {
  for (const [parameters, message] of MISTAKES) t.throws(() => chosenParts(readOptions(parameters)), { message }, parameters.join(' '));
  const { code, stderr } = await run('redirect', '--servers', 'bare,teapot');
  t.equal(code, 1);
  t.match(stderr, /^there is no "teapot" here; there are bare,.*\n$/, 'in one line');
});

t.test('the bench accepts every command in its README', async (t) => {
  const readme = readFileSync(new URL('../../../bench/README.md', import.meta.url), 'utf8');
  const commands = [...new Set(readme.match(/(?<=npm run bench -- )[^`#\n]+/g))].map((command) => command.trim().split(/ +/));
  t.ok(commands.length > 15, commands.join('\n'));
  for (const command of commands.filter((words) => !words.includes('N')))
    t.doesNotThrow(() => chosenParts(readOptions(command)), command.join(' '));
  const { code, stdout, stderr } = await run('--help');
  t.equal(code, 0, stderr);
  t.match(stdout, 'npm run bench');
});
