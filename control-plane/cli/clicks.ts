import type { Command } from 'commander';
import { addClicksAudit } from './clicks-audit.js';
import { addClicksCopy } from './clicks-copy.js';
import { addClicksExport } from './clicks-export.js';
import { addReclassify } from './clicks-reclassify.js';
import type { Run } from './run.js';

export function addClicks(program: Command, run: Run): void {
  const clicks = program.command('clicks').description('read and correct the click log');
  addClicksExport(clicks, 'export', run);
  addReclassify(clicks, run);
  addClicksAudit(clicks, run);
  addClicksCopy(clicks, run);
}
