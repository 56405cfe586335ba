import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ROOT, readTreeFile, treeFiles } from '../support/source-tree.js';

/** A prefix short enough to stand in ordinary text by chance says nothing. */
const TELLING_CHARACTERS_MIN = 6;

t.test('no file names a path of the machine it was written on', async (t) => {
  const local = [ROOT, `${dirname(ROOT)}/`, `${homedir()}/`].filter(
    (path) => path.length >= TELLING_CHARACTERS_MIN && path !== '/root/' && path !== '/tmp/',
  );
  const homes = /(?<![\w.])\/(home|Users)\/(?!runner|node\b|link-service)[a-z][\w-]*\//;
  for (const file of treeFiles()) {
    const text = readTreeFile(file);
    for (const path of local) if (text.includes(path)) t.fail(`${file} names ${path}`);
    const found = homes.exec(text);
    if (found !== null && file !== 'test/rules/tree.test.ts') t.fail(`${file} names ${found[0]}`);
  }
  t.ok(treeFiles().includes('package.json'));
});

t.test('package-lock.json and .npmrc name no registry: everyone installs from their own', async (t) => {
  const { packages } = JSON.parse(readTreeFile('package-lock.json')) as { packages: Record<string, { resolved?: string }> };
  for (const [name, { resolved }] of Object.entries(packages))
    if (resolved?.startsWith('http'))
      t.fail(`package-lock.json has the address of ${name}; repair it with: npm install --package-lock-only`);
  t.match(readTreeFile('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
  t.notMatch(readTreeFile('.npmrc'), /registry=|_auth/);
});

t.test('versions are exact', async (t) => {
  const manifest = JSON.parse(readTreeFile('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    t.match(version, /^(npm:[\w.@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, name);
});

/**
 * uWebSockets.js comes as machine code, and its package is a repack of the upstream release. These are the sums of the
 * files of upstream v20.49 for Linux on x64, by Node.js ABI (115: Node 20, 127: Node 22).
 */
const UWS_SHA256: Readonly<Record<string, string>> = {
  'uws_linux_x64_115.node': '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e',
  'uws_linux_x64_127.node': '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
};

t.test('the machine code of uWebSockets.js is the one that was reviewed', async (t) => {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('uWebSockets.js'))), 'bin');
  for (const [file, expected] of Object.entries(UWS_SHA256))
    t.equal(
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
      expected,
      file,
    );
});
