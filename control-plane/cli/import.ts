import { readFileSync, statSync } from 'node:fs';
import { Argument, type Command, Option } from 'commander';
import { counted } from '../../shared/base/counted.js';
import { COLLISIONS, type Collision } from '../../shared/contract/schemas/link-import.js';
import { isHostField } from '../../shared/net/host-name.js';
import type { ImportLine } from '../imports/attempt.js';
import { importCampaigns } from '../imports/import-campaigns.js';
import { importLinks } from '../imports/import-links.js';
import { hostKey } from '../imports/plan-link.js';
import { MissingLinksError } from '../imports/sources/listed-links.js';
import { SourceError } from '../imports/sources/source-api.js';
import { caseKept, type ImportSource, type OnWait, type SourceInput, type SourceLink } from '../imports/sources/source-link.js';
import { SOURCES } from '../imports/sources.js';
import { linkHosts } from '../links/alias-sql.js';
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_UNAVAILABLE, EXIT_USAGE } from './command-error.js';
import { httpUrl } from './http-url.js';
import { createImportProgress, type ImportProgress } from './import-progress.js';
import { type ImportCounts, openReport, type Report } from './import-report.js';
import type { Output } from './output.js';
import { readTwice, STANDARD_INPUT } from './read-twice.js';
import { requireEnvironment } from './require-environment.js';
import type { ProgramDependencies, Run } from './run.js';
import { isSendableKey } from './sendable-key.js';
import { tellable } from './written-file.js';

export function addImport(program: Command, run: Run): void {
  program
    .command('import')
    .description('import the links of another service, with their paths, into an environment')
    .addArgument(new Argument('<source>', 'where they come from').choices([...Object.keys(SOURCES), 'campaigns']))
    .requiredOption('--env <id>', 'environment, env_...')
    .option('--file <file>', 'file to read, or - for standard input')
    .option('--api-key-file <file>', 'file that contains only the API key of the other service')
    .option('--base-url <url>', 'address of the other service, if it is self-hosted')
    .addOption(
      new Option('--domain <old=new>', 'host of the other service and the host here that replaces it; repeat for more hosts')
        .argParser(domainPair)
        .default(new Map<string, string>(), 'none'),
    )
    .addOption(new Option('--on-collision <what>', 'what to do with a link whose path is taken').choices(COLLISIONS).default('fail'))
    .option('--case-sensitive', 'for dub: keys that differ in case only are different links')
    .option('--dry-run', 'only say what would happen to each link')
    .option('--report <file>', 'write one line of JSON per link or campaign to this file')
    .option('--resume', 'skip what is already in the report, and append to it')
    .addHelpText('after', HELP)
    .action((source: string, options: ImportOptions) => run((output, dependencies) => importFrom(source, options, output, dependencies)));
}

const HELP = `
Sources:
${Object.entries(SOURCES)
  .map(([name, { title }]) => `  ${name.padEnd(10)} ${title}`)
  .join('\n')}
  campaigns  campaigns that "linkd export campaigns" has written; import them before the links that name them

A link that an earlier run has created is found again and not created twice, even if that run was killed. The exit code is 1 if a
link or campaign was not created, or if a part of a link could not be carried over; the report says which.

No export contains long links of Firebase (/?link=...). They work when the environment lists the hosts that they may lead to
(long_link_hosts) and names the link for which their clicks count (long_link_path): in the dashboard's settings, or by PATCH /environment.

Examples:
  linkd import bitly --api-key-file token.txt --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --domain bit.ly=go.example.com --dry-run
  linkd import firebase --file acme.page.link.csv --env env_01jd4v6xq8e5s0m3k7n9p2r4tw --on-collision alias --report report.ndjson
  zcat links.csv.gz | linkd import csv --file - --env env_01jd4v6xq8e5s0m3k7n9p2r4tw`;

interface ImportOptions {
  readonly env: string;
  readonly file?: string;
  readonly apiKeyFile?: string;
  readonly baseUrl?: string;
  readonly domain: ReadonlyMap<string, string>;
  readonly onCollision: Collision;
  readonly caseSensitive?: true;
  readonly dryRun?: true;
  readonly report?: string;
  readonly resume?: true;
}

function domainPair(text: string, pairs: Map<string, string>): Map<string, string> {
  const [old, host, ...more] = text.split('=').map(hostKey);
  if (!old || !host || more.length > 0 || !isHostField(old))
    throw new CommandError(`--domain: "${text}" is not a pair such as bit.ly=go.example.com`, EXIT_USAGE);
  return pairs.set(old, host);
}

async function importFrom(name: string, options: ImportOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  refuseReport(options);
  if (name === 'campaigns') {
    await importCampaignsFrom(options, output, dependencies);
    return;
  }
  const source = SOURCES[name] as ImportSource;
  const input = { ...inputOf(name, source, options), interrupted: dependencies.interrupted() };
  const caseSensitive = options.caseSensitive === true;
  if (caseSensitive && !source.keysIgnoreCase)
    throw new CommandError('--case-sensitive is only for dub: paths from all other sources are always case-sensitive', EXIT_USAGE);
  const database = dependencies.database();
  const { id, name: environmentName, link_host: linkHost } = await requireEnvironment(database, options.env);
  const target = {
    database,
    environment: { id, name: environmentName, linkHost },
    form: dependencies.linkUrlForm(),
    environmentId: id,
    linkHost,
    hosts: options.domain,
    sourceName: name === 'ndjson' ? 'csv' : name,
    collision: options.onCollision,
    dryRun: options.dryRun === true,
    createdBy: 'linkd import',
    nowMs: dependencies.nowMs,
  };
  const hosts = [...new Set(options.domain.values())];
  const known = hosts.length === 0 ? [] : await linkHosts(database, id, hosts);
  const unknown = hosts.find((host) => !known.includes(host));
  if (unknown !== undefined)
    throw new CommandError(
      `--domain: ${unknown} is neither the link host of the environment (${linkHost}) nor a verified domain of it`,
      EXIT_USAGE,
    );
  const report = await openReport({ ...options, file: options.report, environmentId: id });
  const progress = createImportProgress(dependencies.terminal, options.file !== undefined);
  const read = { ...input, done: report.done, onWait: waitNoted(dependencies), onNote: noted(dependencies), onRead: progress.onRead };
  const lines = readTwice({ ...dependencies, file: options.file, interrupted: input.interrupted }, (file) => {
    const links = source.read({ ...read, file });
    return importLinks(unreported(links, { done: report.done, interrupted: input.interrupted, caseSensitive }), target);
  });
  const { counts } = report;
  await printed(reported(lines, report, options, progress), output, () => counts);
  const missing = counts.failed + counts.skipped;
  const faults = [
    ...(missing > 0 ? [`${happenedTo(missing)} not imported`] : []),
    ...(counts.with_losses > 0 ? [`${happenedTo(counts.with_losses)} imported incompletely`] : []),
  ];
  if (faults.length > 0) throw new CommandError(`${faults.join(', and ')}; ${whereTold(options)}`, EXIT_FAILED);
}

/** "1 link was", "3 links were" */
function happenedTo(links: number): string {
  return `${counted(links, 'link')} ${links === 1 ? 'was' : 'were'}`;
}

/** Prints what an import has done. An import that fails has often created something before. */
async function printed(work: Promise<void>, output: Output, counts: () => Readonly<Record<string, number>>): Promise<void> {
  await work.catch((error: unknown) => {
    if (Object.values(counts()).some((count) => count > 0)) output.object(counts());
    throw error;
  });
  output.object(counts());
}

/** Where the report is. */
function whereTold({ report }: ImportOptions): string {
  return report === undefined ? 'pass --report to see which' : `see ${report}`;
}

/** Throws a `CommandError` if the report cannot be written as the options say. */
function refuseReport(options: ImportOptions): void {
  if (options.resume && options.report === undefined)
    throw new CommandError('--resume needs --report: pass the report of the run to continue', EXIT_USAGE);
  for (const [read, what] of [
    [options.file, 'the one to import'],
    [options.apiKeyFile, 'the one with the API key'],
  ] as const)
    if (isSameFile(options.report, read)) throw new CommandError(`--report is the same file as ${what}: pass another one`, EXIT_USAGE);
}

/** Whether both paths lead to one file, which a report would overwrite before it is read. */
function isSameFile(report: string | undefined, read: string | undefined): boolean {
  if (report === undefined || read === undefined) return false;
  try {
    const [one, other] = [report, read].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
    return one?.isFile() === true && one.ino === other?.ino && one.dev === other.dev;
  } catch {
    // The error is reported when the file is opened.
    return false;
  }
}

/** Writes a note. Its line is below the progress bar, if that is shown. */
function noted({ terminal, writeError }: ProgramDependencies): (note: string) => void {
  return (note) => writeError(`${terminal === null ? '' : '\n'}linkd: ${note}\n`);
}

/** Reports waits, so that a wait of minutes does not look like an import that hangs. */
function waitNoted(dependencies: ProgramDependencies): OnWait {
  const note = noted(dependencies);
  return (reason, ms) => note(`${reason}; trying again in ${Math.ceil(ms / 1000)} s`);
}

/** Writes the outcome of each link, including those before an error. */
async function reported(
  lines: AsyncIterable<ImportLine>,
  report: Report,
  { file }: ImportOptions,
  progress: ImportProgress,
): Promise<void> {
  try {
    for await (const line of lines) {
      await report.write(line);
      progress.onLine();
    }
  } catch (error) {
    if (error instanceof MissingLinksError) throw new CommandError(`${error.message}; run the command again to read them`, EXIT_FAILED);
    if (error instanceof SourceError) throw new CommandError(`${error.message}; run the command again to continue`, EXIT_UNAVAILABLE);
    if (error instanceof Error && error.name === 'AbortError')
      throw new CommandError('interrupted; run the command again to continue', EXIT_INTERRUPTED);
    throw readable(error, file === STANDARD_INPUT ? 'standard input' : file);
  } finally {
    progress.stop();
    await report.close();
  }
}

async function importCampaignsFrom(options: ImportOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  if (options.file === undefined) throw new CommandError('campaigns needs --file', EXIT_USAGE);
  const interrupted = dependencies.interrupted();
  const database = dependencies.database();
  const { id, name } = await requireEnvironment(database, options.env);
  const report = await openReport({ ...options, file: options.report, environmentId: id });
  const progress = createImportProgress(dependencies.terminal, true, 'campaigns');
  const target = { database, environmentId: id, environment: name, dryRun: options.dryRun === true, nowMs: dependencies.nowMs() };
  const lines = readTwice({ ...dependencies, file: options.file, interrupted }, (file) =>
    importCampaigns({ file: file as string, interrupted, done: report.done, onRead: progress.onRead }, target),
  );
  const countsOf = ({ created, exists, failed }: ImportCounts) => ({ created, exists, failed });
  await printed(reported(lines, report, options, progress), output, () => countsOf(report.counts));
  const { failed } = report.counts;
  if (failed > 0)
    throw new CommandError(`${failed} campaign${failed === 1 ? ' was' : 's were'} not imported; ${whereTold(options)}`, EXIT_FAILED);
}

/** Returns what the source is read from. Throws a `CommandError` if the options do not fit the source. */
function inputOf(name: string, { reads, selfHosted }: ImportSource, { file, apiKeyFile, baseUrl }: ImportOptions) {
  if (reads === 'file' && file === undefined) throw new CommandError(`${name} needs --file`, EXIT_USAGE);
  if ((reads === 'api' || reads === 'file_and_api') && apiKeyFile === undefined)
    throw new CommandError(`${name} needs --api-key-file`, EXIT_USAGE);
  if (apiKeyFile !== undefined && (reads === 'file' || (reads === 'either' && file !== undefined)))
    throw new CommandError(
      `${name} reads ${reads === 'file' ? 'a file alone' : 'a file or its API'}: leave --api-key-file out`,
      EXIT_USAGE,
    );
  if (reads === 'api' && file !== undefined) throw new CommandError(`${name} is read from its API: leave --file out`, EXIT_USAGE);
  if (reads === 'file_and_api' && file === undefined) throw new CommandError(`${name} needs --file with one URL per line`, EXIT_USAGE);
  if (reads === 'either' && file === undefined && apiKeyFile === undefined)
    throw new CommandError(`${name} needs --file or --api-key-file`, EXIT_USAGE);
  if (selfHosted && baseUrl === undefined) throw new CommandError(`${name} needs --base-url, the address of your server`, EXIT_USAGE);
  if (baseUrl !== undefined && httpUrl(baseUrl) === null)
    throw new CommandError(
      `--base-url: ${baseUrl} is not the address of a server: pass a URL that begins with http:// or https:// and has no password`,
      EXIT_USAGE,
    );
  return { file: file ?? null, apiKey: apiKeyFile === undefined ? null : keyIn(apiKeyFile), baseUrl: baseUrl ?? null };
}

function keyIn(file: string): string {
  let key: string;
  try {
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw tellable(error, file);
  }
  if (!isSendableKey(key)) throw new CommandError(`${file} must contain one line with the API key and nothing else`, EXIT_USAGE);
  return key;
}

/** Yields the links that are left to import. After an interruption it yields no more; links that are in progress are finished. */
async function* unreported(
  links: AsyncIterable<SourceLink>,
  { done, interrupted, caseSensitive }: Pick<SourceInput, 'done' | 'interrupted'> & { readonly caseSensitive: boolean },
): AsyncIterable<SourceLink> {
  for await (const link of links) {
    interrupted.throwIfAborted();
    if (!done.has(link.id)) yield caseSensitive ? caseKept(link) : link;
  }
}

function readable(error: unknown, file: string | undefined): unknown {
  if (error instanceof SyntaxError) return new CommandError(`${file}: ${error.message}`);
  return tellable(error, file);
}
