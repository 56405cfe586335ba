import type { RestoreResult } from '../restore.js';
import { newTable } from './table.js';

export function restoreTableOf(figures: RestoreResult): string {
  const { links, clicks, wrong } = figures;
  const table = newTable([`${links} links, ${clicks} clicks`, '']);
  const megabytes = (value: number) => `${value.toFixed(0)} MB`;
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  table.push(
    ['database', megabytes(figures.database_mb)],
    ['full backup in the repository', megabytes(figures.backup_mb)],
    ['repository, with the log', megabytes(figures.repository_mb)],
    ['to fill the database', seconds(figures.fill_seconds)],
    ['full backup', seconds(figures.backup_seconds)],
    ['restore to a second, on an empty disk', seconds(figures.restore_seconds)],
    ['control plane started, statistics right', seconds(figures.statistics_seconds)],
    ['engine started with an empty disk, a link answers', seconds(figures.first_link_seconds)],
    ['and it has every link', seconds(figures.bootstrap_seconds)],
    ['links, clicks, statistics', wrong.length === 0 ? 'as they were' : wrong.join('; ')],
  );
  return table.toString();
}
