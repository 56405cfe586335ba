import t from 'tap';
import ts from 'typescript';
import { readTreeFile, sourceFiles } from '../support/source-tree.js';

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 60;

/** Files and functions that are longer, each with the reason why: a file by its path, a function by its file and name. */
const LONG: Readonly<Record<string, string>> = {
  'control-plane/dashboard/forms/draft-form.ts useDraftForm': 'one hook: its callbacks share the state of one form',
  'control-plane/dashboard/screens/links/qr-fields.tsx QrFields': 'one form as JSX',
  'control-plane/dashboard/screens/metadata-api/metadata-fields.tsx MetadataFields': 'one form as JSX',
  'control-plane/dashboard/screens/settings/settings.tsx Settings': 'one page as JSX',
  'control-plane/dashboard/screens/url-templates/template-fields.tsx TemplateFields': 'one form as JSX',
  'control-plane/dashboard/screens/url-templates/template-list.tsx TemplateList': 'one page as JSX',
  'control-plane/dashboard/shell/sign-in.tsx SignIn': 'one page as JSX',
  'engine/link-index/keeper.ts': 'one state machine, whose steps all read and set the same state',
  'engine/preview/type-actor.ts': 'one actor, below the interfaces of what it needs',
  'engine/store/config-writer.ts': 'one writer: every method depends on which generation is open',
  'engine/visit/visits.ts': 'the way of a request from its facts to its answer, in the order in which it is gone',
  'engine/webhooks/webhook-dispatcher.ts': 'constructs its parts and passes messages between them',
  'shared/base/limits.ts': 'a table',
  'shared/contract/openapi.ts': 'builds one document',
  'shared/feed/codec.ts': 'the form of each kind of record, which is one format',
};

const WRITTEN_BY_A_PROGRAM = /^\/\*\* Written by: /;

function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent) ? node.parent.name : undefined);
  return named?.getText(source) ?? (ts.isConstructorDeclaration(node) ? 'constructor' : 'anonymous');
}

/** The functions that are too long, in the notation of the table. */
function longFunctions(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      if (lines > FUNCTION_LINES_MAX) found.push(`${file} ${nameOf(node, source)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

t.test('the search finds a function that is too long in every syntax', async (t) => {
  const body = '\n'.repeat(FUNCTION_LINES_MAX);
  t.same(longFunctions('a.ts', `function a() {${body}}\nconst b = () => {${body}};\nclass C { d() {${body}}\n constructor() {${body}} }`), [
    'a.ts a',
    'a.ts b',
    'a.ts d',
    'a.ts constructor',
  ]);
  t.same(longFunctions('a.tsx', `const short = () => <p>{${body.slice(2)}}</p>;`), []);
});

t.test(`exactly the functions of over ${FUNCTION_LINES_MAX} lines and files of over ${FILE_LINES_MAX} have a reason`, async (t) => {
  const written = sourceFiles().filter((file) => !file.startsWith('test/') && !WRITTEN_BY_A_PROGRAM.test(readTreeFile(file)));
  t.ok(written.length > 400);
  const long = written.flatMap((file) => {
    const text = readTreeFile(file);
    const isLong = text.split('\n').length - 1 > FILE_LINES_MAX;
    return [...(isLong ? [file] : []), ...longFunctions(file, text)];
  });
  const missing = long.filter((name) => LONG[name] === undefined);
  t.same(missing, [], 'split it by what it does, or say in LONG of this test why it is long by nature');
  const needless = Object.keys(LONG).filter((name) => !long.includes(name));
  t.same(needless, [], 'the entry is no longer too long: remove it from LONG of this test');
  for (const [name, reason] of Object.entries(LONG)) t.ok(reason.length > 5, name);
});
