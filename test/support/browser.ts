import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/**
 * Where systems put Chromium and Chrome. `CHROMIUM_PATH` goes before them. The headless shell is the same engine without the windows
 * of a browser, which nobody sees here: the dashboard's tours take a third less CPU time in it.
 */
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const REPAIR = 'install one (apt-get install -y chromium), or set CHROMIUM_PATH';

/** No word to anybody but the server under test: neither updates nor sync nor a look at names in DNS. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What is asked of a test. */
interface BrowserTest {
  teardown(end: () => Promise<void>): void;
  fail(message: string): boolean;
  /** Of 0 with a reason: the tests are skipped, and every reporter says so. */
  plan(assertions: number, reason?: string): void;
}

/** The program to run; null if there is none. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env, exists: (path: string) => boolean = existsSync): string | null {
  const named = environment.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!exists(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist`);
    return named;
  }
  return USUAL_PLACES.find(exists) ?? null;
}

/** Ports of this machine that every host name is mapped to. */
export interface HostPorts {
  readonly http: number;
  readonly https: number;
}

/**
 * A Chromium with an empty profile, closed with the test, to which every host name but `localhost` stands for these ports. Null, and the test is
 * over, on a machine without one: a failure where `CI` is set, a skip with its reason where it is not.
 */
export async function openBrowser(t: BrowserTest, { http, https }: HostPorts): Promise<Browser | null> {
  const executablePath = findChromium();
  if (executablePath === null) {
    if ((process.env.CI ?? '') !== '') t.fail(`no Chromium: ${REPAIR}`);
    else t.plan(0, `there is no Chromium on this machine: ${REPAIR}`);
    return null;
  }
  const mapping = `--host-resolver-rules=MAP *:443 127.0.0.1:${https}, MAP * 127.0.0.1:${http}, EXCLUDE localhost`;
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, mapping] });
  t.teardown(() => browser.close());
  return browser;
}

/** Keeps a picture of the page in the folder that `TEST_SCREENSHOTS` names, for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
