import t from 'tap';
import ts from 'typescript';
import { readTreeFile, sourceFiles } from '../support/source-tree.js';

/** Words that the tree once used for things that have a name in the field, each with that name. */
const OLD_WORDS: Readonly<Record<string, string>> = {
  approach: 'name the thing itself',
  ledger: 'log, record or count',
  fleet: 'the set of engines',
  allowance: 'limit or budget',
  passage: 'permit or connection',
  pane: 'panel or section',
  audience: 'visitors',
  crowd: 'load or queue',
  roster: 'pidfile or table',
  orphan: 'stale process, or a row whose owner is gone',
  orphans: 'stale processes, or rows whose owner is gone',
  orphaned: 'stale or abandoned',
  patience: 'grace or time-out',
  patient: 'waiting',
  impatient: 'aborted',
  patiently: 'with retries',
  wary: 'say what is checked',
  attentive: 'say what is watched',
  suspect: 'damaged or distrusted',
  suspects: 'damaged or distrusted',
  suspected: 'damaged or distrusted',
  mend: 'repair',
  mends: 'repairs',
  mended: 'repaired',
  equip: 'prepare',
  equipped: 'prepared',
};

/** The same for whole identifiers. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  leadOn: 'redirect',
  leftBehind: 'stale',
  AnswerLine: 'PreviewClient',
  AnswerService: 'PreviewServer',
  Told: 'Reply',
  Later: 'Retry',
  Wake: 'Signal',
  SearchFloors: 'QueueMarks',
  Flight: 'InFlightFetch',
  flight: 'inFlight',
  flights: 'inFlight',
  narrow: 'say what it filters by',
  widen: 'say what it adds',
};

/** Tests that compare what was written with what was stored use a ledger. */
const LEDGERS = /^test\/support\/ledger[\w-]*\.ts$/;
const LEDGER_NAMES = new Set(
  sourceFiles()
    .filter((file) => LEDGERS.test(file))
    .flatMap((file) => identifiersOf(file)),
);

function identifiersOf(file: string): readonly string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.add(node.text.replace('#', ''));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readTreeFile(file), ts.ScriptTarget.ESNext));
  return [...names];
}

/** The words of a name: `claimDueRows`, `CLAIM_DUE_ROWS` and `claim-due-rows` have three each. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.toLowerCase());
}

function oldIn(name: string): string | undefined {
  const word = wordsOf(name).find((word) => Object.hasOwn(OLD_WORDS, word));
  if (word !== undefined) return `${name}: ${OLD_WORDS[word]}`;
  return Object.hasOwn(OLD_NAMES, name) ? `${name}: ${OLD_NAMES[name]}` : undefined;
}

t.test('the search finds old words in every kind of name', async (t) => {
  for (const name of ['EngineFleet', 'stopOrphan', 'PATIENCE_MS', 'click-audience', 'leadOn', 'Told', 'suspectFile'])
    t.ok(oldIn(name), name);
  for (const name of ['inFlight', 'suspicious', 'toldOf', 'connectLater', 'poster', 'narrowest']) t.notOk(oldIn(name), name);
});

t.test('no file or folder name has an old word', async (t) => {
  const found = sourceFiles().filter((file) => !LEDGERS.test(file) && file.split('/').some((part) => oldIn(part.split('.')[0] as string)));
  t.same(found, [], 'name it by the word of the field');
});

/** The keys of these catalogues are texts of the page: a button may say `Later`. */
const CATALOGUES = /^control-plane\/dashboard\/language\/german\//;

t.test('no identifier has an old word', async (t) => {
  const named = sourceFiles().filter((file) => !CATALOGUES.test(file));
  const found = named.flatMap((file) => {
    const names = identifiersOf(file).filter((name) => !(file.startsWith('test/') && LEDGER_NAMES.has(name)));
    // This file lists the words.
    return file.endsWith('rules/old-words.test.ts') ? [] : names.flatMap((name) => oldIn(name) ?? []).map((old) => `${file}: ${old}`);
  });
  t.same(found, [], 'use the word of the field');
});

/** Words that must not occur in texts either. `approach` and `patient` may. */
const IN_TEXTS =
  /\b(?:ledgers?|fleets?|allowances?|wary|crowds?|rosters?|orphan(?:s|ed)?|attentive|mend(?:s|ed)?|equip(?:ped)?|suspect(?:s|ed)?)\b/i;

/** Names on the disks of earlier releases: a file's extension, and a key of the store. */
const STORED: ReadonlySet<string> = new Set(['.suspect', 'n/fleet']);

t.test('no log message, metric or text of the product has an old word', async (t) => {
  const product = sourceFiles().filter((file) => /^(shared|engine|control-plane|deploy|bench)\//.test(file));
  const found = product.flatMap((file) =>
    textsOf(file)
      .filter((text) => IN_TEXTS.test(text) && !STORED.has(text))
      .map((text) => `${file}: ${text.slice(0, 100)}`),
  );
  t.same(found, []);
});

function textsOf(file: string): readonly string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isJsxText(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readTreeFile(file), ts.ScriptTarget.ESNext));
  return texts;
}
