import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** What a program below the folder imports by the name, and from which file. */
function importedFrom(folder: string, name: string): { readonly from: string; readonly names: readonly string[] } {
  const parent = JSON.stringify(pathToFileURL(join(folder, 'main.js')).href);
  const program = `const from = import.meta.resolve('${name}', ${parent});
    console.log(JSON.stringify({ from, names: Object.keys(await import(from)).sort() }))`;
  const flags = ['--experimental-import-meta-resolve', '--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8', cwd: ROOT }));
}

t.test('compiled code loads each large package as one file with all exports', async (t) => {
  for (const name of ['fastify', 'pngjs', 'prom-client', 'tldts', 'typebox', 'undici']) {
    const built = importedFrom(join(ROOT, 'dist', 'control-plane'), name);
    const itself = importedFrom(ROOT, name);
    t.equal(built.from, pathToFileURL(join(ROOT, 'dist', 'node_modules', name, `${name}.js`)).href);
    t.not(itself.from, built.from);
    t.strictSame(
      // Node.js 24 also lists a CommonJS module's exports as a whole.
      itself.names.filter((member) => !built.names.includes(member) && member !== 'module.exports'),
      [],
    );
  }
});
