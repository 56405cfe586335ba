import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressFiles, filesBelow } from '../http/compress-files.js';
import { GUIDE_NAMES, type Guide, REFERENCE_NAMES, readGuide } from './guides.js';
import { guidePage, referencePage } from './pages.js';
import { type ScalarFile, scalarFiles } from './scalar-files.js';

/**
 * Builds the reference and the guides into static files below `dist/docs`, each with its brotli and gzip form beside it. Does nothing if
 * their sources have not changed.
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = join(ROOT, 'control-plane', 'docs');
const TARGET = join(ROOT, 'dist', 'docs');
/** Written by `deploy/reference`, which may import from both the engine and the control plane. */
const REFERENCE = join(ROOT, 'dist', 'reference');
const FINGERPRINT = join(TARGET, '.fingerprint');

/** The standalone build is in the same package, beside the module that the package exports. */
const SCALAR = join(dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')), 'browser');

function hashOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}\0`).update(part);
  return hash.digest('hex');
}

function fingerprint(): string {
  const files = [...filesBelow(SOURCE), ...filesBelow(REFERENCE), join(ROOT, 'package-lock.json')];
  return hashOf(...files.flatMap((file) => [file.slice(ROOT.length), readFileSync(file)]));
}

function write(name: string, content: string): string {
  const file = join(TARGET, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return name;
}

/** Writes the file under a name that changes with its content. */
function writeHashed(file: string, name: string, extension: string): string {
  const content = readFileSync(join(SOURCE, 'site', file), 'utf8');
  return write(`assets/${name}-${hashOf(content).slice(0, 8)}.${extension}`, content);
}

/** Writes all files into a folder that is named after their content, because they import each other by their own names. */
function writeScalar(files: readonly ScalarFile[]): { readonly entry: string; readonly preloads: readonly string[] } {
  const folder = `assets/scalar-${hashOf(...files.flatMap(({ name, content }) => [name, content])).slice(0, 8)}`;
  for (const { name, content } of files) write(`${folder}/${name}`, content);
  const first = files.filter(({ isFirstLoad }) => isFirstLoad).map(({ name }) => `${folder}/${name}`);
  return { entry: first[0] as string, preloads: first.slice(1) };
}

function readPages(): readonly Guide[] {
  const read = (folder: string) => (name: string) => readGuide(name, readFileSync(join(folder, `${name}.md`), 'utf8'));
  return [...GUIDE_NAMES.map(read(join(SOURCE, 'guides'))), ...REFERENCE_NAMES.map(read(REFERENCE))];
}

if (!existsSync(REFERENCE)) throw new Error(`${REFERENCE} is missing; make it with: node dist/deploy/reference/main.js`);
const current = fingerprint();
if (!existsSync(FINGERPRINT) || readFileSync(FINGERPRINT, 'utf8') !== current) {
  rmSync(TARGET, { recursive: true, force: true });
  const { entry, preloads } = writeScalar(scalarFiles(SCALAR));
  const assets = {
    style: writeHashed('docs.css', 'docs', 'css'),
    referenceScripts: [entry, writeHashed('reference.js', 'reference', 'js')],
    preloads,
  };
  const guides = readPages();
  write('index.html', referencePage(guides, assets));
  for (const guide of guides) write(`guides/${guide.name}.html`, guidePage(guide, guides, assets));
  await compressFiles(TARGET);
  // Written last, so that an interrupted build is repeated.
  writeFileSync(FINGERPRINT, current);
}
