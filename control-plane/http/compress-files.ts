import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A response smaller than this fits into the first packet either way. */
const COMPRESSED_BYTES_MIN = 1024;
const COMPRESSIBLE = /\.(js|css|html|svg)$/;

/** A build step. Writes a brotli and a gzip form next to each file, where `readStaticFiles` finds them. */
export function compressFiles(folder: string): void {
  for (const file of filesBelow(folder)) {
    if (!COMPRESSIBLE.test(file)) continue;
    const content = readFileSync(file);
    if (content.length < COMPRESSED_BYTES_MIN) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

/** All files below the folder, sorted so that a fingerprint of them is the same everywhere. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
