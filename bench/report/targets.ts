import type { Measurement } from '../load/measure.js';
import { type Spread, spreadOf } from '../load/statistics.js';

/** A target for redirects or cards: the other server's CPU time for a request divided by ours, in one run. */
interface Target {
  readonly what: string;
  readonly scenario: string;
  readonly key: string;
  readonly beside: string;
  /** By the maker of the processor if it makes a difference: on Intel's, it is in nginx's favour. */
  readonly least: number | { readonly amd: number; readonly intel: number };
}

const PLAIN = '64 connections';
const PIPELINED = '64 connections, pipelined 16';

const TARGETS: readonly Target[] = [
  {
    what: 'address from a header, beside nginx with map and log',
    scenario: PLAIN,
    key: 'header',
    beside: 'nginx-map',
    least: { amd: 1, intel: 0.85 },
  },
  { what: 'address from a header, beside the floor', scenario: PLAIN, key: 'header', beside: 'floor', least: 0.95 },
  {
    what: 'pipelined, beside nginx with map and log',
    scenario: PIPELINED,
    key: 'header',
    beside: 'nginx-map',
    least: { amd: 2.2, intel: 1.5 },
  },
  { what: 'pipelined, beside the floor', scenario: PIPELINED, key: 'header', beside: 'floor', least: 0.95 },
  { what: 'warm cards, beside bare uWebSockets.js with as many bytes', scenario: PLAIN, key: 'cards', beside: 'bare', least: 0.5 },
  { what: 'items of templates, beside links', scenario: PLAIN, key: 'items', beside: 'header', least: 0.9 },
];

export interface TargetOutcome {
  readonly what: string;
  readonly client: string;
  readonly least: number;
  /** The other server's CPU time for a request divided by ours, round by round. */
  readonly cpu_ratio: Spread;
  /** Our rate divided by the other server's: the same on a machine with nothing else to do. */
  readonly rate_ratio: Spread;
}

/** Every target whose two servers were measured, on a processor of this name. */
export function targetOutcomes(measurements: readonly Measurement[], processor: string): readonly TargetOutcome[] {
  const maker = processor.includes('Intel') ? 'intel' : 'amd';
  const clients = [...new Set(measurements.map(({ client }) => client))];
  return clients.flatMap((client) =>
    TARGETS.flatMap(({ what, scenario, key, beside, least }) => {
      const find = (wanted: string) =>
        measurements.find((row) => row.client === client && row.scenario === scenario && row.key === wanted && row.invalid === null);
      const [own, other] = [find(key), find(beside)];
      if (own === undefined || other === undefined) return [];
      const rate_ratio = spreadOf(own.rates.map((rate, round) => rate / (other.rates[round] as number)));
      const cpu_ratio = spreadOf(own.cpu_us.map((us, round) => (other.cpu_us[round] as number) / us));
      return [{ what, client, least: typeof least === 'number' ? least : least[maker], rate_ratio, cpu_ratio }];
    }),
  );
}
