import { dirname } from 'node:path';
import t from 'tap';
import { importGraph, readTreeFile } from '../support/source-tree.js';

/** Each file, with the files of the tree that it imports. */
const IMPORTS = importGraph();

/** A cycle in the graph, from its first node back to it; null if there is none. */
function circle(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): readonly string[] | null => {
    if (done.has(node)) return null;
    const begin = path.indexOf(node);
    if (begin >= 0) return [...path.slice(begin), node];
    path.push(node);
    for (const target of graph.get(node) ?? []) {
      const found = visit(target);
      if (found !== null) return found;
    }
    path.pop();
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const found = visit(node);
    if (found !== null) return found;
  }
  return null;
}

/** The halves and what starts them. The files at the top of a half put its folders together. */
const isProduct = (file: string): boolean => /^(shared|engine|control-plane|deploy)\//.test(file);
const isTopOfHalf = (file: string): boolean => /^[^/]+\/[^/]+$/.test(file);

t.test('the search finds a circle of imports', async (t) => {
  t.same(circle(new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: [], d: ['b'] }))), ['b', 'd', 'b']);
  t.equal(circle(new Map(Object.entries({ a: ['b', 'c'], b: ['c'], c: [] }))), null);
});

t.test('files of the product have no circular imports', async (t) => {
  t.same(circle(new Map([...IMPORTS].filter(([file]) => isProduct(file)))), null);
});

t.test('folders of the product have no circular imports', async (t) => {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of IMPORTS) {
    if (!isProduct(file) || isTopOfHalf(file)) continue;
    const folder = dirname(file);
    const imported = folders.get(folder) ?? new Set();
    for (const target of targets) if (dirname(target) !== folder) imported.add(dirname(target));
    folders.set(folder, imported);
  }
  t.ok(folders.size > 50);
  t.same(circle(folders), null);
});

/** The rooms in the table of README.md for this half, in its order. */
function roomsOf(half: string): readonly string[] {
  const [, table = ''] = readTreeFile('README.md').split(`| Room of \`${half}/\` |`);
  return [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, room]) => `${half}/${room}`);
}

for (const { half, of, listed } of [
  { half: 'engine', of: 'the engine', listed: /^engine\// },
  { half: 'control-plane', of: 'the control plane for clicks', listed: /^control-plane\/(local-days|clicks|click-[^/]+|stats)(\/|$)/ },
])
  t.test(`folders of ${of} import only folders above them in the table of README.md, which lists them all`, async (t) => {
    const rooms = roomsOf(half);
    const isRoom = (file: string) => !isTopOfHalf(file) && listed.test(dirname(file));
    const files = [...IMPORTS].filter(([file]) => isRoom(file));
    t.same(rooms.toSorted(), [...new Set(files.map(([file]) => dirname(file)))].toSorted());
    for (const [file, targets] of files)
      for (const target of targets) {
        if (!target.startsWith(`${half}/`) || dirname(target) === dirname(file)) continue;
        if (isTopOfHalf(target) ? half === 'engine' : isRoom(target) && rooms.indexOf(dirname(target)) > rooms.indexOf(dirname(file)))
          t.fail(`${file} imports ${target}`);
      }
  });
