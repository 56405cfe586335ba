import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_REPAIR, findChromium, launchChromium } from '../../bench/load/chromium.js';

/** The part of a test that is needed here. */
interface BrowserTest {
  teardown(end: () => Promise<void>): void;
  /** Number of assertions so far. */
  readonly count: number;
  fail(message: string): boolean;
  comment(line: string): void;
  /** Called with 0 and a reason: the tests are skipped, and every reporter says so. Refused after an assertion. */
  plan(assertions: number, reason?: string): void;
}

/** Ports of this machine to which every host name is mapped. */
export interface HostPorts {
  readonly http: number;
  readonly https: number;
}

/** Chromium keeps a spare process for the next page, which each new context starts and hardly any uses. */
const NO_SPARE_PROCESS = '--renderer-process-limit=1';

/**
 * Opens a Chromium with an empty profile, which is closed with the test and in which every host name but `localhost` is
 * mapped to these ports. On a machine without one, returns null, and the test is over: it fails if `CI` is set, and
 * otherwise is skipped with a reason.
 */
export async function openBrowser(t: BrowserTest, { http, https }: HostPorts): Promise<Browser | null> {
  const executablePath = findChromium();
  if (executablePath === null) {
    const reason = `there is no Chromium on this machine: ${CHROMIUM_REPAIR}`;
    if ((process.env.CI ?? '') !== '') t.fail(reason);
    else if (t.count === 0) t.plan(0, reason);
    else t.comment(`LEFT OUT: ${reason}`);
    return null;
  }
  const mapping = `--host-resolver-rules=MAP *:443 127.0.0.1:${https}, MAP * 127.0.0.1:${http}, EXCLUDE localhost`;
  const browser = await launchChromium(executablePath, [mapping, NO_SPARE_PROCESS]);
  t.teardown(() => browser.close());
  return browser;
}

/** Saves a picture of the page in the folder that `TEST_SCREENSHOTS` names, for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
