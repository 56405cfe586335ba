import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { REFERENCE_NAMES } from '../../control-plane/docs/guides.js';
import { eventsPage, problemsPage } from './contract-pages.js';
import { logsPage } from './logs-page.js';
import { metricsPage } from './metrics-page.js';
import { settingsPage } from './settings-page.js';

/**
 * A step of the build: writes the pages of settings, metrics, log messages, events and problems from the tables that the code works with,
 * and from the code. It is in this folder because the tables are those of both the engine and the control plane; `control-plane/docs` turns
 * its output into pages beside its guides.
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
// Modules of the engine hold timers and handles that are not needed here.
process.exit();
