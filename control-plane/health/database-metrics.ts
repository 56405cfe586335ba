import type { Registry } from 'prom-client';
import { gaugesOf, type ReadingSource } from './gauges-of-readings.js';
import type { DatabaseFigures } from './sql.js';

/**
 * Registers metrics of PostgreSQL as the service's own role sees it: what may run out, and what keeps others waiting. They are the same in
 * every control plane. There are no series for what the role may not see, and none while PostgreSQL cannot be reached.
 */
export function registerDatabaseMetrics(registry: Registry, source: ReadingSource<DatabaseFigures>): void {
  const gauge = gaugesOf(registry, source);
  const figure = (name: string, help: string, value: (figures: DatabaseFigures) => number | null) =>
    gauge(name, help, [], (metric, figures) => {
      const known = value(figures);
      if (known !== null) metric.set(known);
    });
  figure('postgresql_connections', 'Connections to all databases of the server', (figures) => figures.connections);
  figure('postgresql_connections_max', 'Connections that the server has for the service and others', (figures) => figures.connections_max);
  figure('postgresql_database_bytes', 'Size of the database on its disk', (figures) => figures.database_bytes);
  figure(
    'postgresql_oldest_transaction_seconds',
    'Age of the oldest open transaction of the database; includes other roles if the role is in pg_monitor',
    (figures) => figures.oldest_transaction_seconds,
  );
  figure('postgresql_standbys', 'Standbys that follow the server', (figures) => figures.standbys);
  figure(
    'postgresql_standby_lag_seconds',
    'How far the last standby is behind; only if the role is in pg_monitor and there is one',
    (figures) => figures.standby_lag_seconds,
  );
  figure(
    'postgresql_archive_failing_seconds',
    'Time for which archiving of the write-ahead log has been failing; 0 if the last attempt succeeded; only if archiving is on',
    (figures) => figures.archive_failing_seconds,
  );
}
