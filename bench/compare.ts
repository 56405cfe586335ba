import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { integer, SettingError } from '../shared/base/settings.js';
import { autocannonClient } from './load/autocannon-client.js';
import type { Contender } from './load/contender.js';
import { itemPathOf, pathOf, writeLinks } from './load/links.js';
import { type Measurement, measure } from './load/measure.js';
import { chooseCores } from './load/pinned-process.js';
import { floorContender, redirectContender } from './load/servers.js';
import { type Spread, spreadOf } from './load/statistics.js';
import { wrkClient, wrkIsInstalled } from './load/wrk-client.js';
import { SCENARIOS } from './redirect.js';
import { createProgress } from './report/progress.js';
import { newTable, spread } from './report/table.js';

const HELP = `Runs the redirect processes of two built checkouts in turn, and the floor beside them, and fails where the second
costs more CPU time for a request than bench/budget.json allows as a ratio to the first or to the floor.

  npm run bench:compare -- BEFORE [AFTER] [options]      AFTER is this checkout where it is not given

  --links N     links in the store (100000)
  --rounds N    interleaved rounds (7)
  --seconds N   length of one measurement (2)
  --servers A,B of header, socket, items (header)

Both have to be built, and have to read the same store: where the codec differs between them, nothing can be compared.
`;

/** By scenario and server: what the second checkout may cost in units of the first one's cost, and of the floor's. */
interface Budget {
  readonly cpu_us_per_request: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly cpu_us_beside_the_floor: Readonly<Record<string, number>>;
}

const FLOOR = 'floor';
const KEYS = ['header', 'socket', 'items'] as const;
type Key = (typeof KEYS)[number];
const isKey = (text: string): text is Key => KEYS.some((key) => key === text);

interface Comparison {
  readonly scenario: string;
  readonly key: string;
  readonly before: Spread;
  readonly after: Spread;
  /** After divided by before, round by round. */
  readonly ratio: Spread;
  readonly allowed: number;
}

function contenderOf(checkout: string, key: Key, dataDir: string, slot: number): Contender {
  const paths = key === 'items' ? Array.from({ length: 50_000 }, (_, n) => itemPathOf(n * 131)) : undefined;
  return redirectContender({
    key: `${key}/${slot}`,
    name: `${key}, ${checkout}`,
    dataDir,
    slot,
    trustedHeader: key !== 'socket',
    entry: join(checkout, 'dist/engine/redirect.js'),
    ...(paths === undefined ? {} : { paths }),
  });
}

function compared(key: string, [before, after]: readonly [Measurement, Measurement], budget: Budget): Comparison {
  for (const { invalid, contender } of [before, after]) if (invalid !== null) throw new Error(`${contender}: ${invalid}`);
  const allowed =
    before.key === FLOOR ? budget.cpu_us_beside_the_floor[before.scenario] : budget.cpu_us_per_request[before.scenario]?.[key];
  if (allowed === undefined) throw new Error(`bench/budget.json says nothing of ${key} in "${before.scenario}"`);
  return {
    scenario: before.scenario,
    key,
    before: before.cpu_us_per_request,
    after: after.cpu_us_per_request,
    ratio: spreadOf(after.cpu_us.map((us, round) => us / (before.cpu_us[round] as number))),
    allowed,
  };
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      links: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      servers: { type: 'string', default: 'header' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const checkouts = [positionals[0] ?? '', positionals[1] ?? fileURLToPath(new URL('../..', import.meta.url))].map((path) => resolve(path));
  if (!values.help && positionals.length === 0) throw new SettingError('name the checkout to compare with; --help says more');
  for (const checkout of values.help ? [] : checkouts)
    if (!existsSync(join(checkout, 'dist/engine/redirect.js'))) throw new SettingError(`${checkout} is not built: run npm run build there`);
  const keys = values.servers.split(',');
  const unknown = keys.find((key) => !isKey(key));
  if (unknown !== undefined) throw new SettingError(`--servers: there is no "${unknown}"; there are ${KEYS.join(', ')}`);
  return {
    help: values.help,
    checkouts: checkouts as [string, string],
    keys: keys.filter(isKey),
    links: integer(1, 20_000_000)(values.links),
    rounds: integer(1, 100)(values.rounds),
    seconds: integer(1, 600)(values.seconds),
  };
}

async function run({ checkouts, keys, links, rounds, seconds }: ReturnType<typeof readOptions>): Promise<boolean> {
  const budget = JSON.parse(readFileSync(new URL('../../bench/budget.json', import.meta.url), 'utf8')) as Budget;
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-compare-'));
  const progress = createProgress();
  try {
    await writeLinks(dataDir, links, () => undefined);
    const contenders = keys.flatMap((key, n) => checkouts.map((checkout, which) => contenderOf(checkout, key, dataDir, 2 * n + which)));
    const measured = await measure({
      contenders: [floorContender(links), ...contenders],
      scenarios: SCENARIOS,
      clients: [wrkIsInstalled() ? wrkClient : autocannonClient],
      paths: Array.from({ length: 50_000 }, () => `/${pathOf(Math.floor(Math.random() * links))}`),
      rounds,
      seconds,
      warmUpSeconds: 2,
      cores: chooseCores(),
      onStep: progress.step,
    });
    const comparisons = SCENARIOS.flatMap(({ name }) => {
      const find = (key: string) => measured.find((row) => row.scenario === name && row.key === key) as Measurement;
      return keys.flatMap((key, n) => {
        const after = find(`${key}/${2 * n + 1}`);
        const beside = compared(key, [find(`${key}/${2 * n}`), after], budget);
        return key === 'header' ? [beside, compared(`${key}, beside the floor`, [find(FLOOR), after], budget)] : [beside];
      });
    });
    progress.stop();
    console.log(tableOf(comparisons));
    return comparisons.every(({ ratio, allowed }) => ratio.median <= allowed);
  } finally {
    progress.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function tableOf(comparisons: readonly Comparison[]): string {
  const table = newTable(['scenario', 'server', 'before, or floor, µs/request', 'after µs/request', 'ratio', 'allowed', '']);
  for (const { scenario, key, before, after, ratio, allowed } of comparisons)
    table.push([
      scenario,
      key,
      spread(before, 2),
      spread(after, 2),
      spread(ratio, 3),
      allowed,
      ratio.median <= allowed ? 'within' : 'OVER',
    ]);
  return table.toString();
}

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else if (!(await run(options))) process.exitCode = 1;
} catch (error) {
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof SettingError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
