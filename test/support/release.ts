import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModules } from './last-release.js';
import { ROOT } from './source-tree.js';

/** Every number that distinguishes one release's formats from another's, and where the compiled tree has it. */
const VERSIONS: readonly (readonly [file: string, written: RegExp, raised: string])[] = [
  ['shared/feed/codec.js', /CODEC_VERSION = \d+;/, 'CODEC_VERSION = 990;'],
  ['engine/link-index/file.js', /FORMAT_VERSION = \d+;/, 'FORMAT_VERSION = 990;'],
  ['engine/processes/messages.js', /MESSAGES_VERSION = \d+;/, 'MESSAGES_VERSION = 990;'],
  ['engine/spool/segment.js', /READ_FORMAT_VERSIONS = \[(.*)\];/, 'READ_FORMAT_VERSIONS = [$1, 990];'],
  ['engine/spool/segment.js', /const FORMAT_VERSION = \d+;/, 'const FORMAT_VERSION = 990;'],
];

/**
 * Compiles the engine into many modules, which can be changed, below `folder`, which has to be in the checkout, where
 * its dependencies are found. Returns the root.
 */
export async function copyRelease(folder: string): Promise<string> {
  const root = join(folder, 'release');
  await compileModules(ROOT, root, ['engine', 'shared']);
  return root;
}

/** Makes the copy a release that shares no stored format and no message with the release it was made from. */
export function raiseVersions(root: string): void {
  for (const [file, written, raised] of VERSIONS) {
    const path = join(root, file);
    const before = readFileSync(path, 'utf8');
    if (!written.test(before)) throw new Error(`${file} has no ${written}`);
    writeFileSync(path, before.replace(written, raised));
  }
}
