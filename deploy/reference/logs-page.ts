import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { cell, code, table } from './markdown.js';

/** A place in the code that writes a log line. */
export interface LogCall {
  /** Relative to the root. */
  readonly file: string;
  readonly line: number;
  /** More than one if the code chooses the level. */
  readonly levels: readonly string[];
  /** Null if the call has no code. */
  readonly code: string | null;
  /** Null if it is composed when the line is written. */
  readonly message: string | null;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['engine', 'control-plane', 'shared', 'deploy'] as const;
const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
/** `log.warn(...)`, `this.#settings.log[level](...)`. */
const LOGGER = /(^|[.#])log(ger)?$/i;

/** Every call of a logger, found by reading the code, so that lines that nobody has listed are found too. */
export function logCalls(): readonly LogCall[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
    .filter((file) => file.endsWith('.ts') && !file.startsWith('control-plane/dashboard/'))
    .toSorted()
    .flatMap(callsOf);
}

function callsOf(file: string): readonly LogCall[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!/\blog(ger)?[.[]/i.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const calls: LogCall[] = [];
  const visit = (node: ts.Node): void => {
    const levels = ts.isCallExpression(node) ? levelsOf(node.expression, source) : [];
    if (levels.length > 0) calls.push(callOf(node as ts.CallExpression, { file, levels, source }));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

/** The levels that the call may have; none if it is not a call of a logger. */
function levelsOf(called: ts.Expression, source: ts.SourceFile): readonly string[] {
  if (!ts.isPropertyAccessExpression(called) && !ts.isElementAccessExpression(called)) return [];
  if (!LOGGER.test(called.expression.getText(source))) return [];
  if (ts.isPropertyAccessExpression(called)) return LEVELS.filter((level) => level === called.name.text);
  const chosen = ts.isIdentifier(called.argumentExpression)
    ? (new RegExp(`const ${called.argumentExpression.text} = ([^;]+);`).exec(source.text)?.[1] ?? '')
    : called.argumentExpression.getText(source);
  return LEVELS.filter((level) => chosen.includes(`'${level}'`));
}

interface Place {
  readonly file: string;
  readonly levels: readonly string[];
  readonly source: ts.SourceFile;
}

function callOf({ arguments: given, pos }: ts.CallExpression, { file, levels, source }: Place): LogCall {
  const [facts] = given;
  const message = given.at(-1);
  const named = facts !== undefined && ts.isObjectLiteralExpression(facts) ? facts.properties.find(isCode) : undefined;
  return {
    file,
    line: source.getLineAndCharacterOfPosition(pos).line + 1,
    levels,
    code: named !== undefined && ts.isPropertyAssignment(named) && ts.isStringLiteral(named.initializer) ? named.initializer.text : null,
    message: message !== undefined && ts.isStringLiteralLike(message) ? message.text : null,
  };
}

function isCode(property: ts.ObjectLiteralElementLike): boolean {
  return property.name !== undefined && ts.isIdentifier(property.name) && property.name.text === 'code';
}

const HALVES: Readonly<Record<string, string>> = {
  engine: 'engine',
  'control-plane': 'control plane',
  shared: 'both',
  deploy: '`npm start`',
};

export function logsPage(): string {
  const calls = logCalls();
  const codes = [...new Set(calls.flatMap((call) => call.code ?? []))].toSorted();
  const rows = codes.map((name) => {
    const those = calls.filter((call) => call.code === name);
    const of = (read: (call: LogCall) => readonly string[]) => [...new Set(those.flatMap(read))];
    return [
      code(name),
      LEVELS.filter((level) => those.some(({ levels }) => levels.includes(level))).join(', '),
      of(({ message }) => [message ?? '(varies)'])
        .map(cell)
        .join(' / '),
      of(({ file }) => [HALVES[file.split('/', 1)[0] as string] ?? '']).join(', '),
    ];
  });
  return `# Log messages

Each process writes its log to its standard output, one JSON object a line.

## What a line has

${table(
  ['Member', 'What it says'],
  [
    [code('level'), 'Severity: `debug`, `info`, `warn`, `error` or `fatal`. Lines below `LOG_LEVEL` are not logged.'],
    [code('time'), 'When, in UTC.'],
    [code('name'), 'The process: `control-plane`, `supervisor`, `redirect-0`, `background`.'],
    [code('pid'), 'Its process id.'],
    [code('code'), 'What happened. Codes stay the same from release to release, so search for them.'],
    [code('msg'), 'What happened, in words. The wording may change.'],
    [code('err'), 'If something failed: `type`, `message` and `stack`.'],
  ],
)}

Other members are facts about that message. No line contains a key, a secret or a visitor's address.

## Codes

${table(['Code', 'Level', 'Message', 'Written by'], rows)}
`;
}
