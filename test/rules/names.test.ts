import { basename } from 'node:path';
import t from 'tap';
import { readTreeFile, sourceFiles } from '../support/source-tree.js';

/** Names that say nothing. Whatever is put there has a name of its own. */
const EMPTY_NAMES = /^(utils?|helpers?|lib|managers?|common|misc|shared-code)$/;

t.test('no file or folder has an empty name such as utils, helpers, lib, manager or common', async (t) => {
  const empty = sourceFiles().filter((file) => file.split('/').some((part) => EMPTY_NAMES.test(part.replace(/(\.test)?\.tsx?$/, ''))));
  t.strictSame(empty, [], 'name it after what it does');
  t.ok(sourceFiles().length > 50);
});

t.test('no module only re-exports others', async (t) => {
  const barrels = sourceFiles().filter(
    (file) => basename(file).startsWith('index.') || /^export \* (as \w+ )?from /m.test(readTreeFile(file)),
  );
  t.strictSame(barrels, [], 'import from the module itself');
});

t.test('no code is marked as unfinished, and no test is skipped', async (t) => {
  // Written in pieces, so that this file does not find itself.
  const marks = [
    ['TO', 'DO'],
    ['FIX', 'ME'],
    ['X', 'XX'],
    ['HA', 'CK'],
  ]
    .map((halves) => halves.join(''))
    .join('|');
  const unfinished = new RegExp(`\\b(${marks})\\b|\\bt\\.(skip|only|todo)\\(|@ts-(ignore|nocheck|expect-error)`);
  const found = sourceFiles().flatMap((file) =>
    readTreeFile(file)
      .split('\n')
      .flatMap((line, index) =>
        unfinished.test(line) && !line.includes('unfinished = new RegExp') ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
  t.strictSame(found, []);
});

t.test('files have at most 400 lines', async (t) => {
  const written = (file: string) => !file.startsWith('test/') && !readTreeFile(file).startsWith('/** Written by: ');
  const long = sourceFiles().filter((file) => written(file) && readTreeFile(file).split('\n').length > 401);
  t.strictSame(long, [], 'split the file if it has more than one part');
});

t.test('no code calls URL.canParse, whose result changes when V8 optimises the caller', async (t) => {
  const naming = new Set(['shared/base/parse-url.ts', 'test/rules/names.test.ts']);
  const asking = sourceFiles().filter((file) => !naming.has(file) && /\bcanParse\b/.test(readTreeFile(file)));
  t.strictSame(asking, [], 'use parseUrl in shared/base/parse-url.ts');
});
