import { parseArgs } from 'node:util';
import { integer, SettingError } from '../shared/base/settings.js';

/** The parameters after `npm run bench --`. Throws a `SettingError`, or what `parseArgs` throws, if they are invalid. */
export type Options = ReturnType<typeof readOptions>;

export const OPTIONS_HELP = `
  --links N     links in the store (100000; counting, dashboard: 10000; imports: 50000; host-copy, tail: 1000000)
  --rounds N    interleaved rounds, of which the median counts (3)
  --seconds N   length of one measurement (2; counting: 25; tail: 10; idle: 40)
  --warm-up N   seconds of load on each server before the first round (1); idle: seconds of rest (40)
  --servers A,B redirect: only these servers, the first of which is the measure of the others (bare, floor, header, socket,
                items, nginx-map, nginx-return, haproxy-map, node, kutt, kutt-bots)
  --kutt DIR    redirect: a checkout of Kutt 3 with its modules, which is measured too (none)
  --clients A,B redirect: only these load clients (autocannon, wrk)
  --clicks N    stats, restore: clicks in the log (1000000; dashboard: 100000)
  --rate N      ingest: clicks a second that are written while they are shipped (210000)
                counting: visits a second (as many as are answered); tail: the same (as many as keep the machine half busy)
  --after N     counting: seconds for which statistics are asked for after the last visit (20)
  --backlog N   counting: no visits; so many clicks wait when the control plane starts
  --steady N    ingest: for so many seconds, without and with counting beside it (10); 0 leaves it out
  --minutes N   webhooks: also N minutes of a steady rate beside an old snapshot (0)
  --installs N  attribution: installs that are simulated (300000)
  --json FILE   write all figures to the file too
  --plots DIR   redirect: write its charts there too, as SVG
  --data DIR    folder for the store and the spool; kept (a temporary one, removed). restore: where all of it lies meanwhile
`;

function parseCommand(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      links: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      servers: { type: 'string' },
      clients: { type: 'string' },
      clicks: { type: 'string' },
      rate: { type: 'string' },
      after: { type: 'string' },
      backlog: { type: 'string' },
      steady: { type: 'string' },
      minutes: { type: 'string' },
      installs: { type: 'string' },
      json: { type: 'string' },
      plots: { type: 'string' },
      data: { type: 'string' },
      kutt: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
}

/** Every option has one bound for all parts, because all options are read, whichever parts are run. The floor's links are in one Buffer. */
const LINKS_MAX = 30_000_000;

/** Reads the parameters of the command. Throws a SettingError, or an error of `parseArgs`, if one is wrong. */
export function readOptions(args: readonly string[]) {
  const { values, positionals } = parseCommand(args);
  type Counted = 'links' | 'rounds' | 'minutes' | 'clicks' | 'rate' | 'after' | 'backlog' | 'steady' | 'installs';
  const number = <Fallback extends number | null>(name: Counted, fallback: Fallback, max: number, min = 1): number | Fallback => {
    const value = values[name];
    if (value === undefined) return fallback;
    try {
      return integer(min, max)(value);
    } catch (error) {
      throw error instanceof SettingError ? new SettingError(`--${name}: ${error.message}`) : error;
    }
  };
  const fraction = (name: 'seconds' | 'warm-up', fallback: number, min: number) => {
    const value = Number(values[name] ?? fallback);
    if (!(value >= min && value <= 600)) throw new SettingError(`--${name}: expected a number from ${min} to 600`);
    return value;
  };
  return {
    help: values.help,
    /** As they were typed; none means all. */
    parts: positionals,
    links: number('links', 100_000, LINKS_MAX),
    rounds: number('rounds', 3, 100),
    seconds: fraction('seconds', 2, 0.1),
    warmUpSeconds: fraction('warm-up', 1, 0),
    servers: values.servers?.split(',') ?? null,
    clients: values.clients?.split(',') ?? null,
    clicks: number('clicks', 1_000_000, 1_000_000_000, 30),
    rate: number('rate', 210_000, 10_000_000),
    steadySeconds: number('steady', 10, 24 * 3600, 0),
    minutes: number('minutes', 0, 24 * 60, 0),
    installs: number('installs', 300_000, 10_000_000),
    /** This part creates its links over the API, and needs time to show what waits. */
    counting: {
      links: number('links', 10_000, LINKS_MAX),
      seconds: fraction('seconds', 25, 0.1),
      rate: number('rate', null, 10_000_000),
      afterSeconds: number('after', 20, 3600, 0),
      backlog: number('backlog', null, 100_000_000),
    },
    dashboard: { links: number('links', 10_000, LINKS_MAX), clicks: number('clicks', 100_000, 1_000_000_000, 30) },
    imports: { links: number('links', 50_000, LINKS_MAX) },
    idle: { restSeconds: fraction('warm-up', 40, 0), seconds: fraction('seconds', 40, 0.1) },
    hostCopy: { links: number('links', 1_000_000, LINKS_MAX) },
    tail: {
      links: number('links', 1_000_000, LINKS_MAX),
      seconds: fraction('seconds', 10, 0.1),
      rate: number('rate', null, 10_000_000),
    },
    json: values.json ?? null,
    plots: values.plots ?? null,
    data: values.data ?? null,
    kutt: values.kutt ?? null,
  };
}
