import type { DashboardResult } from '../dashboard.js';
import { newTable } from './table.js';

/** One line for each screen. */
export function dashboardTableOf({ links, clicks, first_load_kb, screens }: DashboardResult): string {
  const table = newTable(['screen', 'LCP ms, slow 4G', 'CLS', 'longest task ms, 4 times slower']);
  for (const { screen, lcp_ms, cls, longest_task_ms } of screens)
    table.push([screen, lcp_ms.toFixed(0), cls.toFixed(3), longest_task_ms.toFixed(0)]);
  return `${links} links, ${clicks} clicks; the page itself is ${first_load_kb.toFixed(0)} KB on its first load\n${table.toString()}`;
}
