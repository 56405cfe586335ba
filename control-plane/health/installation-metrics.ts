import type { Registry } from 'prom-client';
import { gaugesOf, type ReadingSource } from './gauges-of-readings.js';
import type { Engine, Installation } from './installation.js';

/**
 * The installation's health as gauges. They are the same in every control plane, except for its own parts. There are no series for
 * what is unknown, for example while PostgreSQL cannot be reached.
 */

const ENGINE_STATUSES: readonly Engine['status'][] = ['ok', 'failing', 'silent', 'left'];

export function registerInstallationMetrics(registry: Registry, source: ReadingSource<Installation>): void {
  const gauge = gaugesOf(registry, source);
  gauge('control_plane_part_ok', 'Whether a part of this control plane works', ['part'], (metric, { control_plane: own }) => {
    for (const { part, ok } of own?.parts ?? []) metric.set({ part }, ok ? 1 : 0);
  });
  gauge('installation_problems', 'Problems of the whole installation, as /health/installation lists them', [], (metric, { problems }) =>
    metric.set(problems.length),
  );
  gauge('installation_engines', 'Engines by state', ['status'], (metric, { stored }) => {
    if (stored === null) return;
    for (const status of ENGINE_STATUSES) metric.set({ status }, stored.engines.filter((engine) => engine.status === status).length);
  });
  const unnumbered = 'Age of the oldest change of configuration that waits to be numbered';
  gauge('installation_feed_unnumbered_age_seconds', unnumbered, [], (metric, { stored, checked_at: at }) => {
    if (stored !== null) metric.set(secondsBetween(stored.feed.unnumbered_since, at));
  });
  gauge('installation_clicks_uncounted', 'Clicks in the log that are not counted yet', [], (metric, { stored }) => {
    if (stored !== null) metric.set(stored.clicks.uncounted);
  });
  gauge('installation_clicks_uncounted_age_seconds', 'Age of the oldest of them', [], (metric, { stored, checked_at: at }) => {
    if (stored !== null) metric.set(secondsBetween(stored.clicks.uncounted_since, at));
  });
}

/** 0 if nothing is waiting. */
function secondsBetween(since: string | null, at: string): number {
  return since === null ? 0 : Math.max(0, (Date.parse(at) - Date.parse(since)) / 1000);
}
