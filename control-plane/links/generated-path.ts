import { isObject } from '../../shared/base/issue.js';
import { GENERATED_PATH_CHARACTERS } from '../../shared/base/limits.js';
import { randomBase62 } from '../../shared/base/random-text.js';
import { aliasPaths } from './aliases.js';
import { isReservedPath } from './rules.js';

/** There are 62^7, or 3.5 x 10^12, paths: with a billion links in one environment, one try in 3,500 hits a taken path. */
export const GENERATED_TRIES_MAX = 8;

export function generatePath(): string {
  const path = randomBase62(GENERATED_PATH_CHARACTERS);
  return isReservedPath(path) ? generatePath() : path;
}

/** Paths that links of the call name, including those of aliases. No path is generated that is one of them. */
export function pathsAskedFor(items: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    items
      .filter(isObject)
      .flatMap(({ path, aliases }) => [path, ...aliasPaths(aliases)])
      .filter((path) => typeof path === 'string'),
  );
}

/** Returns a generated path that is not among those to avoid. */
export function freshPath(avoid: ReadonlySet<string>): string {
  const path = generatePath();
  return avoid.has(path) ? freshPath(avoid) : path;
}
