import type { PartHealth } from '../../shared/base/part-health.js';
import type { ServicePart } from '../../shared/contract/schemas/health.js';
import type { Readings } from './readings.js';
import type { EngineRow } from './sql.js';

/** One thing that is wrong. The operator sees what it is; a tenant sees only which parts of the service it concerns. */
export interface Fault {
  /** Names hosts and processes, so it must never be shown to a tenant. */
  readonly what: string;
  /** Null if unknown. */
  readonly since: Date | null;
  /** Empty if it concerns only the operator. */
  readonly concerns: readonly ServicePart[];
}

/** Parts of the service that do not work if no engine is in touch with the database. */
const WORK_OF_ENGINES: readonly ServicePart[] = ['redirects', 'configuration', 'clicks', 'webhooks', 'previews'];

/** Keyed by the names that an engine's processes and their parts have in its report. */
const CONCERNS_OF_ENGINE_PARTS: ReadonlyMap<string, readonly ServicePart[]> = new Map([
  ['background', ['configuration', 'clicks', 'webhooks', 'previews']],
  ['background/config-sync', ['configuration']],
  ['background/clicks', ['clicks']],
  ['background/webhooks', ['webhooks']],
  ['background/previews', ['previews']],
]);

/**
 * Parts of a control plane that concern no tenant by themselves. Whether changes are numbered and clicks are counted is read from
 * the database, because any control plane may do it. A tenant never notices whether old rows are removed.
 */
const OPERATORS_MATTERS: ReadonlySet<string> = new Set(['feed-assigner', 'click-figures', 'maintenance']);

/** Returns everything that is wrong with the installation. `parts` are those of the control plane that answers, or empty. */
export function faultsOf({ feed, clicks, engines }: Readings, parts: readonly PartHealth[]): readonly Fault[] {
  // An engine that was stopped is neither healthy nor faulty, and disappears from the list after a while.
  const present = engines.filter(({ left }) => !left);
  return [
    ...controlPlaneFaults(parts),
    ...(feed.late
      ? [{ what: 'changes of configuration wait to be numbered', since: feed.unnumbered_since, concerns: ['configuration'] as const }]
      : []),
    ...(clicks.late ? [{ what: 'clicks are stored but not counted', since: clicks.uncounted_since, concerns: ['clicks'] as const }] : []),
    ...(present.every(({ silent }) => silent)
      ? [{ what: 'no engine is connected to the database', since: lastHeartbeat(engines), concerns: WORK_OF_ENGINES }]
      : []),
    ...present.flatMap(engineFaults),
  ];
}

/** Returns what is wrong with the control plane that answers. */
export function controlPlaneFaults(parts: readonly PartHealth[]): readonly Fault[] {
  return parts
    .filter(({ ok }) => !ok)
    .map(({ part, reason }) => ({
      what: withReason(`control plane: ${part} fails`, reason),
      since: null,
      concerns: OPERATORS_MATTERS.has(part) ? [] : ['api'],
    }));
}

function engineFaults(engine: EngineRow): readonly Fault[] {
  const { id, silent, heartbeat_at: heartbeatAt, late, feed_lag: lag, behind_since: since } = engine;
  const faults: Fault[] = [];
  // Its clicks wait on its host, if that still exists. It concerns configuration only once there are changes that the engine lacks.
  if (silent) faults.push({ what: `engine ${id} no longer reports`, since: heartbeatAt, concerns: ['redirects', 'clicks'] });
  if (late) faults.push({ what: `engine ${id} is ${lag} changes of configuration behind`, since, concerns: ['configuration'] });
  // The report of an engine that has fallen silent is out of date.
  return silent ? faults : [...faults, ...reportedFaults(engine)];
}

function reportedFaults({ id, report }: EngineRow): readonly Fault[] {
  if (report === null) return [];
  const named = [...report.processes, ...report.parts.map(({ part, ...rest }) => ({ name: part, ...rest }))];
  return named
    .filter(({ ok }) => !ok)
    .map(({ name, reason = '' }) => ({
      what: withReason(`engine ${id}: ${name} fails`, reason),
      since: null,
      concerns: name.startsWith('redirect') ? ['redirects'] : (CONCERNS_OF_ENGINE_PARTS.get(name) ?? []),
    }));
}

function lastHeartbeat(engines: readonly EngineRow[]): Date | null {
  return engines.length === 0 ? null : new Date(Math.max(...engines.map(({ heartbeat_at: at }) => at.getTime())));
}

function withReason(what: string, reason: string): string {
  return reason === '' ? what : `${what}: ${reason}`;
}
