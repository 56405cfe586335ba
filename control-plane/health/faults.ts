import type { PartHealth } from '../../shared/base/part-health.js';
import type { ServicePart } from '../../shared/contract/schemas/health.js';
import type { Readings } from './readings.js';
import type { EngineRow } from './sql.js';

/** One thing that is wrong. The operator reads what it is; a tenant sees only which parts of the service it concerns. */
export interface Fault {
  /** Names hosts and processes: never for a tenant. */
  readonly what: string;
  /** null if it is not known. */
  readonly since: Date | null;
  /** Empty if it is the operator's matter alone. */
  readonly concerns: readonly ServicePart[];
}

/** What no engine does if none is in touch with the database. */
const WORK_OF_ENGINES: readonly ServicePart[] = ['redirects', 'configuration', 'clicks', 'webhooks', 'previews'];

/** By the names that an engine's processes and their parts have in its report. */
const CONCERNS_OF_ENGINE_PARTS: ReadonlyMap<string, readonly ServicePart[]> = new Map([
  ['background', ['configuration', 'clicks', 'webhooks', 'previews']],
  ['background/config-sync', ['configuration']],
  ['background/clicks', ['clicks']],
  ['background/webhooks', ['webhooks']],
  ['background/previews', ['previews']],
]);

/**
 * Parts of a control plane that concern no tenant by themselves. Whether changes are numbered and clicks counted is read from
 * the database, since any control plane may do it; whether old rows are removed shows in nothing a tenant does.
 */
const OPERATORS_MATTERS: ReadonlySet<string> = new Set(['feed-assigner', 'click-figures', 'maintenance']);

/** Everything that is wrong with the installation; `parts` are those of a control plane, if one was asked. */
export function faultsOf({ feed, clicks, engines }: Readings, parts: readonly PartHealth[]): readonly Fault[] {
  // An engine that was stopped is neither well nor ill; it leaves the list by itself.
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

/** What is wrong with the control plane that was asked. */
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
  // Its clicks wait on its host, if that is still there; that it lacks changes is seen when there are some.
  if (silent) faults.push({ what: `engine ${id} no longer reports`, since: heartbeatAt, concerns: ['redirects', 'clicks'] });
  if (late) faults.push({ what: `engine ${id} is ${lag} changes of configuration behind`, since, concerns: ['configuration'] });
  // What an engine said before it fell silent is no news.
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
