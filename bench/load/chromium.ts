import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Where systems install Chromium and Chrome. `CHROMIUM_PATH` takes precedence. The headless shell is the same engine
 * without the windows of a browser, which nobody sees here: the dashboard's tours take a third less CPU time in it.
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

/** No traffic to anybody but the server under test: no updates, no sync and no DNS lookups. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What to do if `findChromium` finds nothing. */
export const CHROMIUM_REPAIR = 'install one (apt-get install -y chromium), or set CHROMIUM_PATH';

/** Returns the program to run; null if there is none. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env, exists: (path: string) => boolean = existsSync): string | null {
  const named = environment.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!exists(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist`);
    return named;
  }
  return USUAL_PLACES.find(exists) ?? null;
}

/** Starts the program with an empty profile. */
export function launchChromium(executablePath: string, flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/** A line as Lighthouse simulates it: "slow 4G", 150 ms a round trip and 1.6 Mbit/s down. */
export const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
