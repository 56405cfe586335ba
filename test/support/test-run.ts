import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';

/** Which compiled files a run includes, and their results. Separate from `run.ts`, which acts as soon as it is imported. */

export interface TestSelection {
  /** Relative to the root: `dist/test/engine/main.test.js`. */
  readonly files: readonly string[];
  /**
   * Whether stacks name lines of the sources, as they do if files are named. Reading the source maps costs a process up
   * to a quarter of a second.
   */
  readonly sourceMaps: boolean;
  /** The timeout of a file, after which it has failed. */
  readonly timeoutMs: number;
  /** Whether to run a few files that failed once more, by themselves. */
  readonly retry: boolean;
}

/** The longest file takes 180 s on two idle cores. On a slow machine, beside the others, it has taken three times as long. */
const TIMEOUT_MS = 720_000;

/** Tests that a plain run leaves out, by their flag: each has a folder, and a timeout for its files. */
const LONG = [
  { flag: '--fault', folder: 'fault', timeoutMs: 1_800_000 },
  { flag: '--soak', folder: 'soak', timeoutMs: 7_200_000 },
] as const;
const RETRY = '--retry';
const FLAGS: readonly string[] = [...LONG.map(({ flag }) => flag), RETRY];

const isBelow = (file: string, folder: string) => file.startsWith(join('dist', 'test', folder, '/'));
const isLong = (file: string) => LONG.some(({ folder }) => isBelow(file, folder));

/** Returns the name of a compiled file: `test/x.test.ts`, `test/x.test.js` and `dist/test/x.test.js` name one. */
function compiledName(root: string, given: string): string {
  const path = relative(root, resolve(root, given)).replace(/\.ts$/, '.js');
  return path.startsWith('dist/') ? path : join('dist', path);
}

/** A compiled test whose source has been removed or renamed must no longer run. */
function hasSource(root: string, compiled: string): boolean {
  return existsSync(join(root, compiled.replace(/^dist\//, '').replace(/\.js$/, '.ts')));
}

/** Every compiled test that still has a source. */
function compiledTests(root: string): readonly string[] {
  return readdirSync(join(root, 'dist', 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join('dist', 'test', name))
    .filter((file) => hasSource(root, file))
    .sort();
}

/** `test/flow` names all tests below it. */
function testsNamed(root: string, given: string): readonly string[] {
  const name = compiledName(root, given);
  const below = compiledTests(root).filter((file) => file.startsWith(join(name, '/')));
  if (below.length === 0 && !existsSync(join(root, name))) throw new Error(`no such test: ${name}`);
  return below.length > 0 ? below : [name];
}

/**
 * Reads the parameters of `npm test`: files, folders, `--fault` or `--soak` for the tests that a plain run leaves out,
 * and `--retry`. With `--retry`, a file that failed beside others and passes by itself is called flaky and does not
 * fail the run.
 */
export function selectTests(root: string, parameters: readonly string[]): TestSelection {
  const flag = parameters.find((parameter) => parameter.startsWith('-') && !FLAGS.includes(parameter));
  if (flag !== undefined) throw new Error(`no such flag: ${flag}; there are ${FLAGS.join(', ')}`);
  const long = LONG.find((kind) => parameters.includes(kind.flag));
  const limits = { timeoutMs: long?.timeoutMs ?? TIMEOUT_MS, retry: parameters.includes(RETRY) };
  const named = parameters.filter((parameter) => !parameter.startsWith('-')).flatMap((given) => testsNamed(root, given));
  if (named.length > 0) return { files: named, sourceMaps: true, ...limits };
  const isWanted = (file: string) => (long === undefined ? !isLong(file) : isBelow(file, long.folder));
  return { files: compiledTests(root).filter(isWanted), sourceMaps: long !== undefined, ...limits };
}

/**
 * Tests that require the service to stay within a time or a share of CPU time, or that load the machine, by what is
 * between `dist/test/` and `.test.js`. Those that wait for something to happen, however soon, are not among them.
 */
export const ALONE: readonly string[] = ['flow/dashboard-first-screen', 'flow/enumeration', 'flow/hostile-clients', 'flow/webhook-replay'];

/**
 * Such tests too, but their limits are several times what they take on a busy machine, most of which they spend
 * waiting: two of them hold each other up no more than a test that has a machine with one core to itself.
 */
export const PAIRED: readonly string[] = [
  // Beside five others, the client that it starts has sent no request by the end of a second.
  'bench/bench',
  'flow/large-calls',
  'flow/link-rules',
  'flow/many-links',
  'flow/previews',
  'flow/previews-of-many-hosts',
  'flow/random-kills',
  'flow/stopped-process',
];

/** Folders whose files share processes, because one of their files takes less time than its process takes to load the service. */
const SHARING = ['api', 'control-plane', 'engine', 'oracle', 'rules', 'shared', 'support'];

/** Tests of these folders that have a process to themselves, because of what they do to it or require of it. */
export const OWN_PROCESS: readonly string[] = [
  // They look at how V8 has compiled a function, which depends on everything that ran before.
  'engine/http/facts',
  'engine/visit/click-record',
  // It gives the codec a record of a shape that it does not know, after which the codec accepts none.
  'shared/feed/codec',
];

/** How many files share a process at most: a file that ends its process takes no more with it, and the last ones leave no core idle. */
const SHARED_MAX = 12;

const compiled = (names: readonly string[]) => new Set(names.map((name) => join('dist', 'test', `${name}.test.js`)));

/** Decides which files run in one process, one after the other. Neighbours share, because they load the same modules. */
function sharedOut(files: readonly string[]): readonly (readonly string[])[] {
  const own = compiled(OWN_PROCESS);
  const processes: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const folder = own.has(file) ? undefined : SHARING.find((name) => isBelow(file, name));
    const sharing = folder === undefined ? undefined : open.get(folder);
    if (sharing !== undefined && sharing.length < SHARED_MAX) sharing.push(file);
    else {
      const begun = [file];
      processes.push(begun);
      if (folder !== undefined) open.set(folder, begun);
    }
  }
  return processes;
}

/**
 * Returns the processes in the order in which they start. Those that several files share compute; the others mostly wait
 * for the processes that they start. Each kind is spread over the whole run, so that cores are neither idle nor contended.
 */
function spreadOut(processes: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const kinds = [processes.filter((files) => files.length > 1), processes.filter((files) => files.length === 1)];
  const placed = kinds.flatMap((kind) => kind.map((files, index) => ({ files, place: (index + 0.5) / kind.length })));
  return placed.sort((one, other) => one.place - other.place).map(({ files }) => files);
}

/** Files that run in this many processes at once. */
export interface TestPart extends Omit<TestSelection, 'files'> {
  /** The files of each process, which run one after the other. */
  readonly processes: readonly (readonly string[])[];
  readonly jobs: number;
}

/** One after the other, each in a process of its own. */
export function oneByOne(tests: TestSelection): TestPart {
  return { ...tests, processes: tests.files.map((file) => [file]), jobs: 1 };
}

/**
 * Returns the parts of a run, which run one after the other. `ALONE` and long tests have the machine to themselves,
 * `PAIRED` a core each. The others share it, with three processes more than there are cores, because half of their time is
 * waiting for timers and processes.
 */
export function partsOf(tests: TestSelection): readonly TestPart[] {
  const [namedAlone, paired] = [compiled(ALONE), compiled(PAIRED)];
  const alone = (file: string) => namedAlone.has(file) || isLong(file);
  const those = (wanted: (file: string) => boolean) => oneByOne({ ...tests, files: tests.files.filter(wanted) });
  const others = those((file) => !alone(file) && !paired.has(file));
  const parts = [
    { ...others, processes: spreadOut(sharedOut(others.processes.flat())), jobs: availableParallelism() + 3 },
    { ...those((file) => paired.has(file)), jobs: Math.min(2, availableParallelism()) },
    those(alone),
  ];
  return parts.filter(({ processes }) => processes.length > 0);
}

/** The name of a process in tap's output: a test is named after its file, and a process of several files has a name that no file has. */
export function nameOfProcess(files: readonly string[]): string {
  return files.length === 1 ? (files[0] as string) : `${files.length} files from ${files[0]}`;
}

/** Returns tap's output as if the files that shared a process had each had one of its own. */
export function withoutProcesses(output: string): string {
  const shared = /^# Subtest: (\d+ files from \S+)\n((?: {4}.*\n|\n)*)(?:not )?ok \d+ - \1.*\n(?: {2}.*\n)*/gm;
  return output.replace(shared, (_, _name, files: string) => files.replace(/^ {4}/gm, ''));
}

/** Returns the files that have not ended, because their process was killed before, by themselves or by another file of it. */
export function filesNotEnded(parts: readonly TestPart[], outputs: readonly string[]): readonly string[] {
  const ended = new Set(outputs.flatMap(filesByTime).map(({ file }) => file));
  const skipped = outputs.flatMap(skippedFiles);
  const files = parts.flatMap(({ processes }) => processes.flat());
  return files.filter((file) => !ended.has(file) && !skipped.some((line) => line.startsWith(`${file}: `)));
}

const TOTALS = /^# \{ (total: .*) \}$/gm;

/**
 * tap ends its output with the totals of all assertions of all files: `# { total: 10, pass: 4, fail: 4, todo: 1, skip:
 * 1 }`. Output without them comes from a run that was cut short, which counts as one failure. Todo tests also count as
 * failures, because none may be left.
 */
export function countResults(output: string): { readonly passed: number; readonly failed: number } {
  const totals = [...output.matchAll(TOTALS)].at(-1)?.[1];
  if (totals === undefined) return { passed: 0, failed: 1 };
  const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(totals)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') + count('todo') };
}

/** Returns the files that were left out as a whole, each with its reason, because no reporter of tap's that suits a log names them. */
export function skippedFiles(output: string): readonly string[] {
  return [...output.matchAll(/^ok \d+ - (\S+\.test\.js) # SKIP (.*)$/gm)].map(([, file, reason]) => `${file}: ${reason}`);
}

/** If more files fail, the cause is not a busy machine. */
const FLAKY_MAX = 3;

/**
 * Returns the files that a run with `--retry` runs once more, by themselves: those that failed, or none if they are
 * many or the run was cut short.
 */
export function filesToRetry(outputs: readonly string[]): readonly string[] {
  if (outputs.some((output) => [...output.matchAll(TOTALS)].length === 0)) return [];
  const failed = outputs
    .flatMap(filesByTime)
    .filter(({ passed }) => !passed)
    .map(({ file }) => file);
  return failed.length > FLAKY_MAX ? [] : failed;
}

/** How a file ended. */
export interface FileResult {
  readonly file: string;
  readonly passed: boolean;
  readonly seconds: number;
}

/** Returns how each file ended, the slowest first. A file that had not ended when the run was cut short is not among them. */
export function filesByTime(output: string): readonly FileResult[] {
  return [...output.matchAll(/^(not )?ok \d+ - (\S+\.test\.js) # time=([\d.]+)ms/gm)]
    .map(([, not, file, ms]) => ({ file: file as string, passed: not === undefined, seconds: Number(ms) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds);
}

/** Returns what the files that failed reported, without what passed in them. */
export function failureReports(output: string): readonly string[] {
  const reports = output.matchAll(/^# Subtest: (\S+)\n((?: {4}.*\n|\n)*)not ok \d+ - \1.*\n(?: {2}.*\n)*/gm);
  return [...reports].map(([report]) => report.replace(/^ +(?:ok \d+ .*|1\.\.\d+|# Subtest: .*)?\n|^\n/gm, '').trimEnd());
}
