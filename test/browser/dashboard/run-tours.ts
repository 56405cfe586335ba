import type { Test } from 'tap';
import { openBrowser } from '../../support/browser.js';
import { startDashboardStack } from './stack.js';
import type { Tours } from './tours.js';

/**
 * Runs the tours one after the other in one browser and on one stack. On a machine without a browser, `openBrowser` has reported
 * what is left out.
 */
export async function runTours(t: Test, tours: Tours): Promise<void> {
  const stack = await startDashboardStack(t);
  const port = Number(new URL(stack.origin).port);
  const browser = await openBrowser(t, { http: port, https: port });
  if (browser !== null) for (const [name, tour] of Object.entries(tours)) void t.test(name, (t) => tour(t, { ...stack, browser }));
}
