import { parseArgs } from 'node:util';
import { integer, SettingError } from '../shared/base/settings.js';

/** What follows `npm run bench --`. Throws a `SettingError`, or what `parseArgs` throws, where it cannot be followed. */
export type Options = ReturnType<typeof readOptions>;

export const OPTIONS_HELP = `
  --links N     links in the store (100000)
  --rounds N    interleaved rounds, of which the median counts (3)
  --seconds N   length of one measurement (2)
  --warm-up N   seconds of load on each server before the first round (1)
  --servers A,B redirect: only these servers, the first of which is the measure of the others (bare, header, socket, items,
                nginx-map, nginx-return, haproxy-map, node)
  --clients A,B redirect: only these load clients (autocannon, wrk)
  --clicks N    stats: clicks in the log (1000000)
  --rate N      ingest: clicks a second that are written while they are shipped (210000)
  --steady N    ingest: for so many seconds, without and with counting beside it (10); 0 leaves it out
  --minutes N   webhooks: also N minutes of a steady rate beside an old snapshot (0)
  --installs N  attribution: installs that are simulated (300000)
  --json FILE   write all figures to the file too
  --plots DIR   redirect: write its charts there too, as SVG
  --data DIR    folder for the store and the spool; kept (a temporary one, removed)
`;

export function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      links: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      'warm-up': { type: 'string', default: '1' },
      servers: { type: 'string' },
      clients: { type: 'string' },
      clicks: { type: 'string', default: '1000000' },
      rate: { type: 'string', default: '210000' },
      steady: { type: 'string', default: '10' },
      minutes: { type: 'string', default: '0' },
      installs: { type: 'string', default: '300000' },
      json: { type: 'string' },
      plots: { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  type Counted = 'links' | 'rounds' | 'minutes' | 'clicks' | 'rate' | 'steady' | 'installs';
  const number = (name: Counted, max: number, min = 1) => {
    try {
      return integer(min, max)(values[name]);
    } catch (error) {
      throw error instanceof SettingError ? new SettingError(`--${name}: ${error.message}`) : error;
    }
  };
  const fraction = (name: 'seconds' | 'warm-up', min: number) => {
    const value = Number(values[name]);
    if (!(value >= min && value <= 600)) throw new SettingError(`--${name}: expected a number from ${min} to 600`);
    return value;
  };
  return {
    help: values.help,
    /** As they were typed; none for all. */
    parts: positionals,
    links: number('links', 20_000_000),
    rounds: number('rounds', 100),
    seconds: fraction('seconds', 0.1),
    warmUpSeconds: fraction('warm-up', 0),
    servers: values.servers?.split(',') ?? null,
    clients: values.clients?.split(',') ?? null,
    clicks: number('clicks', 1_000_000_000, 30),
    rate: number('rate', 10_000_000),
    steadySeconds: number('steady', 24 * 3600, 0),
    minutes: number('minutes', 24 * 60, 0),
    installs: number('installs', 10_000_000),
    json: values.json ?? null,
    plots: values.plots ?? null,
    data: values.data ?? null,
  };
}
