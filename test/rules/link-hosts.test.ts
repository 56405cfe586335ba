import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import { importsOf, isTypesOnly, readTreeFile, sourceFiles } from '../support/source-tree.js';

/** The files that may write to a visitor: the writer of answers, and the listener that adapts `node:http` to it. */
const WRITERS: ReadonlySet<string> = new Set(['engine/http/respond.ts', 'engine/http/listen-node.ts']);

t.test('only respond.ts and the listener of node:http write answers of the link hosts', async (t) => {
  const writing = sourceFiles().filter(
    (file) => file.startsWith('engine/') && /\.(?:writeStatus|writeHeader|writeHead|endWithoutBody)\(/.test(readTreeFile(file)),
  );
  t.same([...writing].sort(), [...WRITERS].sort(), 'answer through Responder in engine/http/respond.ts');
});

/** The modules that are loaded with these. */
function closureOf(entries: readonly string[]): ReadonlySet<string> {
  const closure = new Set(entries);
  // A set is iterated in insertion order, including elements that are added meanwhile.
  for (const module of closure) {
    if (!module.endsWith('.ts')) continue;
    for (const specifier of importsOf(module)) {
      const target = specifier.startsWith('.') ? normalize(join(dirname(module), specifier)).replace(/\.js$/, '.ts') : specifier;
      if (!closure.has(target) && (!specifier.startsWith('.') || !isTypesOnly(target))) closure.add(target);
    }
  }
  return closure;
}

/** Packages and Node.js modules that only compute. */
const PURE: ReadonlySet<string> = new Set(['isbot', 'node:buffer', 'node:crypto', 'node:url']);
/** Gives new ids their time. No decision creates any. */
const CLOCK = 'shared/base/clock.ts';
/** Calls whose result may differ from one time to the next, or that have an effect. */
const IMPURE =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.|\bprocess\.|\bconsole\.|\bset(?:Timeout|Interval|Immediate)\(|\bawait\b/;

t.test('a decision is pure: it reads no clock, file or network, and is synchronous', async (t) => {
  const closure = closureOf(['engine/visit/decide.ts', 'engine/visit/locate.ts']);
  t.ok(closure.size > 20);
  for (const module of closure) {
    if (!module.endsWith('.ts')) {
      t.ok(PURE.has(module), `a decision imports ${module}: pass what it needs as an argument`);
      continue;
    }
    const code = readTreeFile(module).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    const found = IMPURE.exec(code);
    if (found !== null && module !== CLOCK) t.fail(`a decision imports ${module}, which has ${found[0]}: pass the value as an argument`);
  }
});
