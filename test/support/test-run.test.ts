import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import {
  ALONE,
  countResults,
  failureReports,
  filesByTime,
  filesNotEnded,
  filesToRetry,
  nameOfProcess,
  OWN_PROCESS,
  oneByOne,
  PAIRED,
  partsOf,
  selectTests,
  skippedFiles,
  withoutProcesses,
} from './test-run.js';

function tree(root: string, files: readonly string[]): string {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

t.test('a plain run selects every compiled test that still has a source, except fault tests and soaks', async (t) => {
  const root = tree(t.testdir(), [
    'test/a.test.ts',
    'dist/test/a.test.js',
    'dist/test/removed.test.js',
    'test/fault/kill.test.ts',
    'dist/test/fault/kill.test.js',
    'test/soak/memory.test.ts',
    'dist/test/soak/memory.test.js',
    'dist/test/support/run.js',
  ]);
  t.strictSame(selectTests(root, []).files, ['dist/test/a.test.js']);
  t.strictSame(selectTests(root, ['--fault']).files, ['dist/test/fault/kill.test.js']);
  t.strictSame(selectTests(root, ['--soak']).files, ['dist/test/soak/memory.test.js']);
});

t.test('stack traces show lines of the sources, except in a run of all tests', async (t) => {
  const root = tree(t.testdir(), ['test/a.test.ts', 'dist/test/a.test.js']);
  t.equal(selectTests(root, []).sourceMaps, false);
  t.equal(selectTests(root, ['--retry']).sourceMaps, false);
  t.equal(selectTests(root, ['test/a.test.ts']).sourceMaps, true);
  t.equal(selectTests(root, ['--fault']).sourceMaps, true);
});

t.test('a file may be named by its source or by its compiled file', async (t) => {
  const root = tree(t.testdir(), ['dist/test/a.test.js']);
  for (const name of ['test/a.test.ts', 'test/a.test.js', './dist/test/a.test.js', join(root, 'test/a.test.ts')])
    t.strictSame(selectTests(root, [name]).files, ['dist/test/a.test.js'], name);
  t.throws(() => selectTests(root, ['test/b.test.ts']), { message: /no such test: dist\/test\/b\.test\.js/ });
  t.throws(() => selectTests(root, ['--grep=x']), { message: /no such flag: --grep=x/ });
});

t.test('the name of a folder selects all tests below it', async (t) => {
  const root = tree(t.testdir(), [
    'test/flow/a.test.ts',
    'dist/test/flow/a.test.js',
    'test/flow/deep/b.test.ts',
    'dist/test/flow/deep/b.test.js',
    'dist/test/flow/removed.test.js',
    'test/flower/c.test.ts',
    'dist/test/flower/c.test.js',
  ]);
  t.strictSame(selectTests(root, ['test/flow']).files, ['dist/test/flow/a.test.js', 'dist/test/flow/deep/b.test.js']);
  t.throws(() => selectTests(root, ['test/flows']), { message: /no such test: dist\/test\/flows/ });
});

t.test('fault tests may take half an hour, a soak two hours, other tests five minutes', async (t) => {
  const root = tree(t.testdir(), ['dist/test/a.test.js']);
  t.equal(selectTests(root, ['--fault']).timeoutMs, 1_800_000);
  t.equal(selectTests(root, ['--soak']).timeoutMs, 7_200_000);
  t.equal(selectTests(root, []).timeoutMs, 720_000);
  t.equal(selectTests(root, []).retry, false);
  t.equal(selectTests(root, ['--retry']).retry, true);
});

t.test('the results count assertions, and a todo test or a run that was cut short counts as a failure', async (t) => {
  t.strictSame(countResults('ok 1\n# { total: 12, pass: 12 }\n# time=3ms\n'), { passed: 12, failed: 0 });
  t.strictSame(countResults('# { total: 10, pass: 4, fail: 4, todo: 1, skip: 1 }'), { passed: 4, failed: 5 });
  t.strictSame(countResults('ok 1\n'), { passed: 0, failed: 1 });
});

t.test('a few failed files are run once more, but not if the run was cut short', async (t) => {
  const output = (failed: number) =>
    Array.from({ length: 5 }, (_, file) => `${file < failed ? 'not ok' : 'ok'} ${file + 1} - dist/test/${file}.test.js # time=4ms\n`)
      .concat('    not ok 1 - dist/test/inside.test.js\n', '# { total: 5 }\n')
      .join('');
  t.same(filesToRetry([output(0), output(0)]), []);
  t.same(filesToRetry([output(1), output(2)]), ['dist/test/0.test.js', 'dist/test/0.test.js', 'dist/test/1.test.js']);
  t.same(filesToRetry([output(4)]), []);
  t.same(filesToRetry([output(1), 'not ok 1 - dist/test/a.test.js\n']), []);
});

t.test('files are listed by the time they took, whether they passed or failed', async (t) => {
  const output =
    'ok 1 - dist/test/a.test.js # time=1200.5ms\n    ok 1 - inside # time=9999ms\nnot ok 2 - dist/test/b.test.js # time=3000ms\n';
  t.same(filesByTime(output), [
    { file: 'dist/test/b.test.js', passed: false, seconds: 3 },
    { file: 'dist/test/a.test.js', passed: true, seconds: 1.2005 },
  ]);
});

t.test('a file that was left out is named with its reason', async (t) => {
  const output = 'ok 1 - dist/test/a.test.js # SKIP no Chromium\n\nok 2 - dist/test/b.test.js # time=4ms\n    ok 1 - c # SKIP inside\n';
  t.same(skippedFiles(output), ['dist/test/a.test.js: no Chromium']);
});

t.test('the report of a failed file shows everything except what passed', async (t) => {
  const output = [
    'TAP version 14',
    '# Subtest: dist/test/a.test.js',
    '    # Subtest: good',
    '        ok 1 - fine',
    '        1..1',
    '    ok 1 - good # time=1ms',
    '    ',
    '    # Subtest: bad',
    '        not ok 1 - should be equal',
    '          ---',
    '          diff: |',
    '            -1',
    '          ...',
    '        ',
    '    not ok 2 - bad # time=2ms',
    '    ',
    '    1..2',
    '    # { total: 2, pass: 1, fail: 1 }',
    'not ok 1 - dist/test/a.test.js # time=9ms',
    '  ---',
    '  exitCode: 1',
    '  ...',
    '',
    '# Subtest: dist/test/b.test.js',
    '    ok 1 - c',
    'ok 2 - dist/test/b.test.js # time=4ms',
    '',
  ].join('\n');
  t.same(failureReports(output), [
    [
      '# Subtest: dist/test/a.test.js',
      '        not ok 1 - should be equal',
      '          ---',
      '          diff: |',
      '            -1',
      '          ...',
      '    not ok 2 - bad # time=2ms',
      '    # { total: 2, pass: 1, fail: 1 }',
      'not ok 1 - dist/test/a.test.js # time=9ms',
      '  ---',
      '  exitCode: 1',
      '  ...',
    ].join('\n'),
  ]);
});

t.test('tests with time limits for the service run last, two at once or alone', async (t) => {
  const names = ['api/a', 'flow/random-kills', 'flow/enumeration', 'flow/visit', 'bench/report', 'random-kills'];
  const files = names.map((name) => `dist/test/${name}.test.js`);
  const [first, paired, timed, ...others] = files.map((file) => [file]);
  const parts = partsOf({ files, timeoutMs: 1, retry: false, sourceMaps: false });
  t.match(parts, [{ processes: [first, ...others] }, { processes: [paired] }, { processes: [timed], jobs: 1 }]);
  t.equal(parts.length, 3);
  t.ok((parts[1]?.jobs ?? 3) <= 2);
  t.match(partsOf({ files: ['dist/test/fault/c.test.js'], timeoutMs: 1, retry: false, sourceMaps: false }), [{ jobs: 1 }]);
});

t.test('neighbouring files share processes, except files that need their own and files that start processes', async (t) => {
  const test = (name: string) => `dist/test/${name}.test.js`;
  const api = Array.from({ length: 30 }, (_, at) => test(`api/${String(at).padStart(2, '0')}`));
  const others = ['engine/http/closed', 'engine/http/facts', 'engine/http/listen', 'flow/a', 'flow/b'].map(test);
  const selection = { files: [...api, ...others], timeoutMs: 1, retry: false, sourceMaps: false };
  const [part] = partsOf(selection);
  t.strictSame(
    part?.processes.map((files) => files.length),
    [12, 1, 12, 1, 6, 1, 2],
    'processes of several files and of one alternate',
  );
  t.same(part?.processes.flat().toSorted(), selection.files.toSorted(), 'each file runs once');
  t.same(part?.processes.at(-1), [others[0], others[2]], 'a file with its own process does not separate its neighbours');
  t.ok(oneByOne(selection).processes.every((files) => files.length === 1));
});

t.test('the output of files in one process reads as if each file had its own', async (t) => {
  const files = ['dist/test/api/a.test.js', 'dist/test/api/b.test.js', 'dist/test/api/c.test.js'] as const;
  const name = nameOfProcess(files);
  const output = [
    'TAP version 14',
    '# Subtest: dist/test/flow/x.test.js',
    '    ok 1 - y',
    'ok 1 - dist/test/flow/x.test.js # time=4ms',
    '',
    `# Subtest: ${name}`,
    `    # Subtest: ${files[0]}`,
    '        ok 1 - fine',
    `    ok 1 - ${files[0]} # time=5ms`,
    '',
    `    # Subtest: ${files[1]}`,
    '        not ok 1 - wrong',
    `    not ok 2 - ${files[1]} # time=6ms`,
    '      ---',
    '      at: x',
    '      ...',
    '',
    `not ok 2 - ${name} # time=20ms`,
    '  ---',
    '  exitCode: 1',
    '  ...',
    '',
    '1..2',
    '# { total: 3, pass: 2, fail: 1 }',
    '',
  ].join('\n');
  const flat = withoutProcesses(output);
  t.notMatch(flat, name);
  t.same(filesByTime(flat), [
    { file: files[1], passed: false, seconds: 0.006 },
    { file: files[0], passed: true, seconds: 0.005 },
    { file: 'dist/test/flow/x.test.js', passed: true, seconds: 0.004 },
  ]);
  t.strictSame(countResults(flat), { passed: 2, failed: 1 });
  t.equal(failureReports(flat).length, 1);
  t.match(failureReports(flat)[0], /wrong[\s\S]*at: x/);
  const part = { processes: [files], jobs: 1, timeoutMs: 1, retry: false, sourceMaps: false };
  t.same(filesNotEnded([part], [flat]), [files[2]], 'its process ended before it ran');
  t.same(filesNotEnded([part], [flat.replace(/$/, `ok 3 - ${files[2]} # SKIP no Chromium\n`)]), []);
});

t.test('every test that is listed to run alone, in pairs or in its own process exists', async (t) => {
  const missing = [...ALONE, ...PAIRED, ...OWN_PROCESS].filter((name) => !existsSync(new URL(`../${name}.test.js`, import.meta.url)));
  t.strictSame(missing, []);
});
