import type { Measurement } from '../load/measure.js';
import { type Spread, spreadOf } from '../load/statistics.js';

/** What redirects and cards are to be measured by, as a ratio of rates in one run. */
interface Target {
  readonly what: string;
  readonly scenario: string;
  readonly key: string;
  readonly beside: string;
  readonly least: number;
}

const PLAIN = '64 connections';
const PIPELINED = '64 connections, pipelined 16';

const TARGETS: readonly Target[] = [
  { what: 'address from a header, beside nginx with map and log', scenario: PLAIN, key: 'header', beside: 'nginx-map', least: 1.1 },
  { what: 'address from a header, beside bare uWebSockets.js', scenario: PLAIN, key: 'header', beside: 'bare', least: 0.82 },
  { what: 'address from the socket, beside nginx with map and log', scenario: PLAIN, key: 'socket', beside: 'nginx-map', least: 1 },
  { what: 'pipelined, beside nginx with map and log', scenario: PIPELINED, key: 'header', beside: 'nginx-map', least: 3 },
  { what: 'warm cards, beside bare uWebSockets.js with as many bytes', scenario: PLAIN, key: 'cards', beside: 'bare', least: 0.5 },
  { what: 'items of templates, beside links', scenario: PLAIN, key: 'items', beside: 'header', least: 0.9 },
];

export interface TargetOutcome {
  readonly what: string;
  readonly client: string;
  readonly least: number;
  /** Rate over the other's, round by round. */
  readonly rate_ratio: Spread;
  /** The other's CPU time for a request over this one's: what the ratio of rates is on a machine with nothing else to do. */
  readonly cpu_ratio: Spread;
}

/** Every target whose two servers were measured. */
export function targetOutcomes(measurements: readonly Measurement[]): readonly TargetOutcome[] {
  const clients = [...new Set(measurements.map(({ client }) => client))];
  return clients.flatMap((client) =>
    TARGETS.flatMap(({ what, scenario, key, beside, least }) => {
      const find = (wanted: string) =>
        measurements.find((row) => row.client === client && row.scenario === scenario && row.key === wanted && row.invalid === null);
      const [own, other] = [find(key), find(beside)];
      if (own === undefined || other === undefined) return [];
      const rate_ratio = spreadOf(own.rates.map((rate, round) => rate / (other.rates[round] as number)));
      const cpu_ratio = spreadOf(own.cpu_us.map((us, round) => (other.cpu_us[round] as number) / us));
      return [{ what, client, least, rate_ratio, cpu_ratio }];
    }),
  );
}
