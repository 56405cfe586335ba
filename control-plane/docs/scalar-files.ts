import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of Scalar's standalone build, as it is served. */
export interface ScalarFile {
  readonly name: string;
  readonly content: string;
  /** Whether it is imported before anything is shown. The other files are requested when they are needed. */
  readonly isFirstLoad: boolean;
}

const ENTRY = 'standalone.esm.js';

/**
 * Scalar's chat, which sends requests to a server of Scalar's maker, and icons that a document may name in its tags. This document uses
 * neither.
 */
const LEFT_OUT = /^chunks\/(?:AgentScalarDrawer|[\w-]+\.svg)-/;

const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*[`"']\.{1,2}\/([^`"']+\.js)[`"']/g;
const DYNAMIC_IMPORT = /\bimport\(\s*[`"']\.{1,2}\/([^`"']+\.js)[`"']\s*\)/g;

/** The last line of each file, which names a file that is not served. */
const SOURCE_MAP = /\n?\/\/# sourceMappingURL=\S+\s*$/;

/** The entry first, then what it imports, then what is loaded later. */
export function scalarFiles(folder: string): readonly ScalarFile[] {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').replace(SOURCE_MAP, '\n');
  const follow = (names: ReadonlySet<string>, pattern: RegExp): ReadonlySet<string> => {
    const found = new Set(names);
    // A set is iterated in the order of insertion, including what is added during the iteration.
    for (const name of found)
      for (const [, target = ''] of read(name).matchAll(pattern))
        found.add(target === ENTRY ? ENTRY : `chunks/${target.split('/').at(-1)}`);
    return found;
  };
  const first = follow(new Set([ENTRY]), STATIC_IMPORT);
  let all = first;
  for (let size = 0; size !== all.size; ) {
    size = all.size;
    const later = [...follow(all, DYNAMIC_IMPORT)].filter((name) => first.has(name) || !LEFT_OUT.test(name));
    all = follow(new Set(later), STATIC_IMPORT);
  }
  return [...all].map((name) => ({ name, content: read(name), isFirstLoad: first.has(name) }));
}
