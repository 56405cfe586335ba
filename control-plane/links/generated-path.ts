import { GENERATED_PATH_CHARACTERS } from '../../shared/base/limits.js';
import { randomBase62 } from '../../shared/base/random-text.js';
import { isReservedPath } from './rules.js';

/** There are 62^7, or 3.5 x 10^12, paths: with a billion links in one environment, one try in 3,500 hits a taken path. */
export const GENERATED_TRIES_MAX = 8;

export function generatePath(): string {
  const path = randomBase62(GENERATED_PATH_CHARACTERS);
  return isReservedPath(path) ? generatePath() : path;
}
