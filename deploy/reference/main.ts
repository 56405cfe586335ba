import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { REFERENCE_NAMES } from '../../control-plane/docs/guides.js';
import { eventsPage, problemsPage } from './contract-pages.js';
import { logsPage } from './logs-page.js';
import { metricsPage } from './metrics-page.js';
import { settingsPage } from './settings-page.js';

/**
 * A step of the build: writes the pages of settings, metrics, log messages, events and problems out of the tables that the code works
 * with, and out of the code. It stands here because the tables are those of both halves; `control-plane/docs` makes them pages beside its guides.
 */
const TARGET = fileURLToPath(new URL('../../reference/', import.meta.url));

const PAGES: Readonly<Record<(typeof REFERENCE_NAMES)[number], () => string>> = {
  settings: settingsPage,
  metrics: metricsPage,
  logs: logsPage,
  events: eventsPage,
  problems: problemsPage,
};

mkdirSync(TARGET, { recursive: true });
for (const [name, page] of Object.entries(PAGES)) writeFileSync(join(TARGET, `${name}.md`), page());
// Modules of the engine hold timers and handles that nothing here needs.
process.exit();
