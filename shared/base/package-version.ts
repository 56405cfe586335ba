import { readFileSync } from 'node:fs';

/** Returns the version in a package.json. The caller gives its place, because a program that was bundled is not where its modules were. */
export function packageVersion(file: URL): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
