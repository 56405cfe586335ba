import { type Command, Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat } from '../../shared/contract/schemas/export.js';
import { allCampaigns, allLinks, CAMPAIGNS_CSV, LINKS_CSV, linesOf, NDJSON } from '../exports/exported-links.js';
import { addClicksExport } from './clicks-export.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import { requireEnvironment } from './require-environment.js';
import type { ProgramDependencies, Run } from './run.js';
import { createWhole, isGone, writerOf } from './written-file.js';

export function addExport(program: Command, run: Run): void {
  const group = program.command('export').description('write the data of an environment to standard output or a file');
  for (const [kind, what] of [
    ['links', 'links that are not deleted'],
    ['campaigns', 'campaigns'],
  ] as const)
    group
      .command(kind)
      .description(`write the ${what}`)
      .requiredOption('--env <id>', 'environment, env_...')
      .addOption(new Option('--format <format>', 'csv or ndjson').choices(EXPORT_FORMATS).makeOptionMandatory())
      .option('--output <file>', 'write to this file, which must not exist')
      .addHelpText('after', HELP)
      .action((options: ExportOptions) => run((output, dependencies) => exportObjects(kind, options, output, dependencies)));
  addClicksExport(group, 'clicks', run);
}

const HELP = `
"linkd import" reads both formats: campaigns first, then links. In CSV, texts that a spreadsheet would read as a formula begin
with an apostrophe; NDJSON has them as they are.

Examples:
  linkd export campaigns --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --format ndjson --output campaigns.ndjson
  linkd export links --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --format csv --output links.csv`;

interface ExportOptions {
  readonly env: string;
  readonly format: ExportFormat;
  readonly output?: string;
}

async function exportObjects(
  kind: 'links' | 'campaigns',
  { env, format, output: file }: ExportOptions,
  output: Output,
  dependencies: ProgramDependencies,
): Promise<void> {
  const database = dependencies.database();
  const { id, name, link_host: linkHost } = await requireEnvironment(database, env);
  const nowMs = dependencies.nowMs();
  const view = { environment: name, linkHost, form: dependencies.linkUrlForm(), nowMs };
  const written =
    kind === 'links'
      ? linesOf(allLinks(database, id, view), format === 'csv' ? LINKS_CSV : NDJSON)
      : linesOf(allCampaigns(database, id, nowMs), format === 'csv' ? CAMPAIGNS_CSV : NDJSON);
  const progress = createProgress(file === undefined ? null : dependencies.terminal, `{value} ${kind}`);
  let count = 0;
  const writeAll = async (write: (text: string) => Promise<void>) => {
    for await (const { text, items } of written) {
      await write(text);
      count += items;
      progress.update(count, count);
    }
  };
  try {
    if (file === undefined) await writeAll(writerOf(dependencies.standardOutput()));
    else {
      await createWhole(file, writeAll);
      output.object({ file, [kind]: count });
    }
  } catch (error) {
    if (file !== undefined || !isGone(error)) throw error;
  } finally {
    progress.stop();
  }
}
