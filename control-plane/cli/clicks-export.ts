import { createWriteStream } from 'node:fs';
import { open, truncate } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { type Command, Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat } from '../../shared/contract/schemas/export.js';
import { readExportedFile } from '../clicks/export-file.js';
import type { ExportPosition } from '../clicks/export-pages.js';
import { headOf } from '../clicks/exported-click.js';
import { findEnvironmentNumber } from '../projects/projects.js';
import { CommandError, EXIT_USAGE } from './command-error.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import { requireEnvironment } from './require-environment.js';
import type { ProgramDependencies, Run } from './run.js';
import { parseSpan } from './times.js';
import { isGone, tellable, writerOf } from './written-file.js';

/** Adds the command to a group. It is in two groups: `linkd clicks export`, and `linkd export clicks` beside the other exports. */
export function addClicksExport(group: Command, name: string, run: Run): void {
  group
    .command(name)
    .description('write the clicks of an environment, oldest first, to standard output or a file')
    .requiredOption('--env <id>', 'environment, env_...')
    .requiredOption('--from <time>', 'first day (UTC) or instant')
    .requiredOption('--to <time>', 'last day (UTC, inclusive) or instant (exclusive)')
    .addOption(new Option('--format <format>', 'csv or ndjson').choices(EXPORT_FORMATS).makeOptionMandatory())
    .option('--output <file>', 'write to this file, which must not exist')
    .option('--resume', 'continue a file at the point where an export with the same options was interrupted')
    .addHelpText('after', helpOf(`linkd ${group.name()} ${name}`))
    .action((options: ExportOptions) => run((output, dependencies) => clicksExport(options, output, dependencies)));
}

const helpOf = (command: string) => `
In CSV, texts that a spreadsheet would read as a formula begin with an apostrophe; NDJSON has them as they are.
Clicks that are stored after the export has passed their time are missing: set --to to a time some minutes ago.

Examples:
  ${command} --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --from 2026-11-01 --to 2026-11-07 --format csv --output clicks.csv
  ${command} --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --from 2026-11-01T00:00:00+01:00 --to 2026-11-02T00:00:00+01:00 \\
    --format ndjson | gzip > clicks.ndjson.gz`;

interface ExportOptions {
  readonly env: string;
  readonly from: string;
  readonly to: string;
  readonly format: ExportFormat;
  readonly output?: string;
  readonly resume?: true;
}

async function clicksExport(options: ExportOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  const { format, output: file } = options;
  const span = parseSpan(options, dependencies.nowMs());
  if (options.resume && file === undefined) throw new CommandError('--resume needs --output: pass the file to continue', EXIT_USAGE);
  const environment = await requireEnvironment(dependencies.database(), options.env);
  const environmentNumber = await findEnvironmentNumber(dependencies.database(), environment.id);
  const target = file === undefined ? { stream: dependencies.standardOutput(), after: null, isNew: true } : await openFile(file, options);
  const write = writerOf(target.stream);
  const bar = createProgress(file === undefined ? null : dependencies.terminal, '{bar} {value} of {total} days');
  try {
    if (target.isNew) await write(headOf(format));
    const wanted = { environmentNumber, span, format, after: target.after, write, onProgress: bar.update };
    const clicks = await dependencies.clickStore().export(dependencies.database(), wanted);
    if (file !== undefined) output.object({ file, clicks, resumed_after: target.after === null ? null : target.after.occurred_at });
  } catch (error) {
    if (file === undefined && isGone(error)) return;
    throw tellable(error, file);
  } finally {
    bar.stop();
    if (file !== undefined) await new Promise((resolve) => target.stream.end(resolve));
  }
}

interface Target {
  readonly stream: Writable;
  /** The last click that the file already holds. */
  readonly after: ExportPosition | null;
  /** True if nothing is written yet. */
  readonly isNew: boolean;
}

async function openFile(file: string, { format, resume }: ExportOptions): Promise<Target> {
  try {
    if (!resume) await (await open(file, 'wx', 0o600)).close();
    const found = await readExportedFile(file, format);
    if (found === null)
      throw new CommandError(
        `${file} is not an export in the format ${format}: pass the --format with which it was started, or another --output`,
      );
    // What was being written when the export was interrupted is written again.
    await truncate(file, found.bytes);
    return { stream: createWriteStream(file, { flags: 'a' }), after: found.last, isNew: found.bytes === 0 };
  } catch (error) {
    throw tellable(error, file);
  }
}
