import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the files and folders, including `folder` itself, that anyone other than their user may use, each with its mode. */
export function openEntries(folder: string): readonly string[] {
  const paths = [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))];
  return paths.flatMap((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isSymbolicLink() || (stat.mode & 0o077) === 0) return [];
    return [`${path} ${(stat.mode & 0o7777).toString(8)}`];
  });
}
