import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { isId } from '../../shared/base/ids.js';
import { BLOCKLIST_FORMATS, type BlocklistFormat } from '../../shared/resolve/blocklist.js';
import { unblockLink } from '../blocking/unblock-link.js';
import { type ImportCounts, type ImportOutcome, importBlocklist, REFUSED_LINES_TOLD } from '../blocklist/import.js';
import { listLists, removeList } from '../blocklist/sql.js';
import { CommandError, EXIT_NOT_FOUND, EXIT_USAGE } from './command-error.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import type { ProgramDependencies, Run } from './run.js';
import { unreadable } from './written-file.js';

export function addBlocklist(program: Command, run: Run): void {
  const blocklist = program.command('blocklist').description('manage the hosts and URLs that no link may lead to');
  blocklist
    .command('import')
    .description(
      'import a list from a file, or from standard input with -; the import replaces the list of that name; if it fails, nothing changes',
    )
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'hosts: hosts file; plain: one host or URL per line; urlhaus: CSV of https://urlhaus.abuse.ch')
        .choices(BLOCKLIST_FORMATS)
        .makeOptionMandatory(),
    )
    .option('--name <name>', "name of the list (default: the file's name without its extension)")
    .option('--strict', 'change nothing if any line is refused')
    .addHelpText('after', IMPORT_HELP)
    .action((file: string, options: ImportOptions) => run((output, dependencies) => blocklistImport(file, options, output, dependencies)));
  blocklist
    .command('list')
    .description('show the lists')
    .addHelpText('after', '\nExample:\n  linkd blocklist list --json')
    .action(() =>
      run(async (output, { database }) => {
        output.rows(await listLists(database()), 'There are no block lists; import one with: linkd blocklist import');
      }),
    );
  blocklist
    .command('remove')
    .description('remove a list; links that it blocked stay blocked')
    .argument('<name>', 'name of the list')
    .addHelpText('after', '\nExample:\n  linkd blocklist remove urlhaus')
    .action((name: string) =>
      run(async (output, { database }) => {
        if (!(await removeList(database(), name)))
          throw new CommandError(`there is no list "${name}"; see: linkd blocklist list`, EXIT_NOT_FOUND);
        output.object({ removed: name });
      }),
    );
  blocklist
    .command('unblock')
    .description('enable a blocked link again if its destinations are on no list any more')
    .argument('<link>', 'lnk_...')
    .addHelpText('after', '\nExample:\n  linkd blocklist unblock lnk_01jd4v6xq8e5s0m3k7n9p2r4tw')
    .action((id: string) => run((output, dependencies) => blocklistUnblock(id, output, dependencies)));
}

const IMPORT_HELP = `
Links that lead to a host or URL that is new on the list are blocked within seconds by the control plane.

Examples:
  linkd blocklist import hosts.txt --format hosts --name adaway
  curl -s https://urlhaus.abuse.ch/downloads/csv_online/ | linkd blocklist import - --format urlhaus --name urlhaus`;

interface ImportOptions {
  readonly format: BlocklistFormat;
  readonly name?: string;
  readonly strict?: true;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

async function blocklistImport(file: string, options: ImportOptions, output: Output, dependencies: ProgramDependencies): Promise<void> {
  const name = options.name ?? (file === '-' ? '' : basename(file).replace(/\.[^.]*$/, ''));
  if (!NAME.test(name)) throw new CommandError('pass a --name of 1 to 64 letters, digits, dots, hyphens or underscores', EXIT_USAGE);
  const input = await openInput(file, dependencies);
  const outcome = await withProgress(input, dependencies, (chunks) =>
    importBlocklist(dependencies.database(), { name, format: options.format, chunks, strict: options.strict === true }),
  );
  tellRefused(outcome, dependencies.writeError);
  if (outcome.kind === 'unchanged') throw new CommandError(UNCHANGED[outcome.reason](outcome, name));
  const { lines, keys, skipped, refused, added, removed, refusedLines } = outcome;
  const counts = { list: name, lines, entries: keys, skipped, refused, added, removed };
  output.object(output.json ? { ...counts, refused_lines: refusedLines } : counts);
}

const UNCHANGED: Readonly<Record<(ImportOutcome & { kind: 'unchanged' })['reason'], (counts: ImportCounts, name: string) => string>> = {
  empty: (_, name) => `the file has no entries; nothing was changed; to remove the list: linkd blocklist remove ${name}`,
  wrong_format: ({ refused, lines }) => `${refused} of ${lines} lines were refused; nothing was changed; check --format`,
  refused_lines: ({ refused }) => `${refused} line${refused === 1 ? ' was' : 's were'} refused; nothing was changed because of --strict`,
};

function tellRefused({ refused, refusedLines }: ImportCounts, writeError: (text: string) => void): void {
  for (const { line, reason, text } of refusedLines) writeError(`line ${line}: ${reason}: ${JSON.stringify(text)}\n`);
  if (refused > REFUSED_LINES_TOLD) writeError(`and ${refused - REFUSED_LINES_TOLD} more lines were refused\n`);
}

interface Input {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Null if the total is not known in advance. */
  readonly bytes: number | null;
}

async function openInput(file: string, { standardInput }: ProgramDependencies): Promise<Input> {
  if (file === '-') return { chunks: standardInput(), bytes: null };
  try {
    const { size } = await stat(file);
    return { chunks: createReadStream(file), bytes: size };
  } catch (error) {
    throw unreadable(error, file);
  }
}

/** Shows a progress bar on a terminal. Throws a `CommandError` of one line if the file cannot be read to its end. */
async function withProgress<Result>(
  input: Input,
  { terminal }: ProgramDependencies,
  work: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress(input.bytes === null ? null : terminal, '{bar} {percentage} %');
  let read = 0;
  const onBytes = (bytes: number) => {
    read += bytes;
    progress.update(read, input.bytes ?? read);
  };
  return work(readable(input.chunks, onBytes)).finally(progress.stop);
}

async function* readable(chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    let next: IteratorResult<Uint8Array>;
    try {
      next = await iterator.next();
    } catch (error) {
      throw unreadable(error, 'the file');
    }
    if (next.done === true) return;
    onBytes(next.value.length);
    yield next.value;
  }
}

async function blocklistUnblock(id: string, output: Output, { database, linkUrlForm, nowMs }: ProgramDependencies): Promise<void> {
  const outcome = isId('link', id) ? await unblockLink(database(), id, linkUrlForm(), nowMs()) : 'not_found';
  if (outcome === 'not_found') throw new CommandError(`there is no link ${id}`, EXIT_NOT_FOUND);
  if (outcome === 'not_blocked') throw new CommandError(`the link ${id} is not blocked`);
  if (outcome === 'listed') throw new CommandError(`a destination of ${id} is still on a block list; see: linkd blocklist list`);
  output.object({ unblocked: id });
}
