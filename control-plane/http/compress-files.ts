import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A response smaller than this fits into the first packet either way. */
const COMPRESSED_BYTES_MIN = 1024;
const COMPRESSIBLE = /\.(js|css|html|svg)$/;

/**
 * A build step. Writes a brotli and a gzip form next to each file, where `readStaticFiles` finds them. Compresses on all cores, because
 * most of the time of a build passes here.
 */
export async function compressFiles(folder: string): Promise<void> {
  await Promise.all(
    filesBelow(folder)
      .filter((file) => COMPRESSIBLE.test(file))
      .map(compressFile),
  );
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < COMPRESSED_BYTES_MIN) return;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await writeFile(`${file}.br`, brotli);
  await writeFile(`${file}.gz`, gzipped);
}

/** All files below the folder, sorted so that a fingerprint of them is the same everywhere. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
