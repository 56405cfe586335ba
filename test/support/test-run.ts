import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';

/** Which compiled files a run takes, and what became of them. Separate from `run.ts`, which acts as soon as it is imported. */

export interface TestSelection {
  /** Relative to the root: `dist/test/engine/main.test.js`. */
  readonly files: readonly string[];
  /** Whether stacks name lines of the sources, as they do where files are named. Reading the maps costs a process up to a quarter of a second. */
  readonly sourceMaps: boolean;
  /** A file that takes longer has failed. */
  readonly timeoutMs: number;
  /** Run a few files that failed once more, by themselves. */
  readonly retry: boolean;
}

const TIMEOUT_MS = 300_000;
/** Tests that a plain run leaves out, by their flag: each has a folder, and so long for a file. */
const LONG = [
  { flag: '--fault', folder: 'fault', timeoutMs: 1_800_000 },
  { flag: '--soak', folder: 'soak', timeoutMs: 7_200_000 },
] as const;
const RETRY = '--retry';
const FLAGS: readonly string[] = [...LONG.map(({ flag }) => flag), RETRY];

const isBelow = (file: string, folder: string) => file.startsWith(join('dist', 'test', folder, '/'));
const isLong = (file: string) => LONG.some(({ folder }) => isBelow(file, folder));

/** `test/x.test.ts`, `test/x.test.js` and `dist/test/x.test.js` name one compiled file. */
function compiledName(root: string, given: string): string {
  const path = relative(root, resolve(root, given)).replace(/\.ts$/, '.js');
  return path.startsWith('dist/') ? path : join('dist', path);
}

/** A compiled test whose source has been removed or renamed must not go on running. */
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
 * The parameters of `npm test`: files, folders, `--fault` or `--soak` for the tests that a plain run leaves out, and `--retry`, with
 * which a file that failed beside others and passes by itself is called flaky and fails no run.
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
 * Tests that hold the service to a time or to a share of CPU time, or that load the machine, by what is between `dist/test/` and
 * `.test.js`. Those that wait for something to happen, however soon, are not among them.
 */
export const ALONE: readonly string[] = ['flow/dashboard-first-screen', 'flow/enumeration', 'flow/hostile-clients', 'flow/webhook-replay'];

/**
 * As well, but to times that are several times what they take on a busy machine, most of which they wait: two of them hold each other
 * up no more than a test that has a machine of one core to itself.
 */
export const PAIRED: readonly string[] = [
  'flow/large-calls',
  'flow/link-rules',
  'flow/many-links',
  'flow/previews',
  'flow/previews-of-many-hosts',
  'flow/random-kills',
  'flow/stopped-process',
];

/**
 * The parts a run is made of, one after the other. `ALONE` and long tests have the machine to themselves, `PAIRED` a core each. The
 * others share it, one more than there are cores, for a third of their time is waiting for timers and processes.
 */
export function partsOf(tests: TestSelection): readonly (TestSelection & { readonly jobs: number })[] {
  const compiled = (names: readonly string[]) => new Set(names.map((name) => join('dist', 'test', `${name}.test.js`)));
  const [namedAlone, paired] = [compiled(ALONE), compiled(PAIRED)];
  const alone = (file: string) => namedAlone.has(file) || isLong(file);
  const parts = [
    { ...tests, files: tests.files.filter((file) => !alone(file) && !paired.has(file)), jobs: availableParallelism() + 1 },
    { ...tests, files: tests.files.filter((file) => paired.has(file)), jobs: Math.min(2, availableParallelism()) },
    { ...tests, files: tests.files.filter(alone), jobs: 1 },
  ];
  return parts.filter(({ files }) => files.length > 0);
}

const TOTALS = /^# \{ (total: .*) \}$/gm;

/**
 * tap ends its output with the totals of all assertions of all files: `# { total: 10, pass: 4, fail: 4, todo: 1, skip: 1 }`.
 * Output without them is of a run that was cut short, which counts as one failure. So do todo tests: none may be left.
 */
export function countResults(output: string): { readonly passed: number; readonly failed: number } {
  const totals = [...output.matchAll(TOTALS)].at(-1)?.[1];
  if (totals === undefined) return { passed: 0, failed: 1 };
  const count = (name: string) => Number(new RegExp(`\\b${name}: (\\d+)`).exec(totals)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') + count('todo') };
}

/** Whole files that were left out, each with its reason: no reporter of tap's that suits a log names them. */
export function skippedFiles(output: string): readonly string[] {
  return [...output.matchAll(/^ok \d+ - (\S+\.test\.js) # SKIP (.*)$/gm)].map(([, file, reason]) => `${file}: ${reason}`);
}

/** More files that fail are no accident of a busy machine. */
const FLAKY_MAX = 3;

/**
 * The files that a run with `--retry` takes once more, by themselves: those that failed, or none if they are many or the
 * run was cut short.
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

/** How each file ended, the slowest first. A file that a run which was cut short did not end is not among them. */
export function filesByTime(output: string): readonly FileResult[] {
  return [...output.matchAll(/^(not )?ok \d+ - (\S+\.test\.js) # time=([\d.]+)ms/gm)]
    .map(([, not, file, ms]) => ({ file: file as string, passed: not === undefined, seconds: Number(ms) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds);
}

/** What the files that failed reported, but for what passed in them. */
export function failureReports(output: string): readonly string[] {
  const reports = output.matchAll(/^# Subtest: (\S+)\n((?: {4}.*\n|\n)*)not ok \d+ - \1.*\n(?: {2}.*\n)*/gm);
  return [...reports].map(([report]) => report.replace(/^ +(?:ok \d+ .*|1\.\.\d+|# Subtest: .*)?\n|^\n/gm, '').trimEnd());
}
