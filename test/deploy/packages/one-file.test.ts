import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
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

const COMPILED = join(ROOT, 'dist', 'control-plane');
const BUILT = pathToFileURL(join(ROOT, 'dist', 'node_modules', '/')).href;
const WHOLE = [
  '@clickhouse/client',
  'fastify',
  'ipaddr.js',
  'maxmind',
  'pg',
  'pg-listen',
  'pino',
  'pngjs',
  'prom-client',
  'tldts',
  'typebox',
];

t.test('compiled code loads each large package as one file with all exports', async (t) => {
  for (const name of WHOLE) {
    const built = importedFrom(COMPILED, name);
    const itself = importedFrom(ROOT, name);
    t.match(built.from, `${BUILT}${name}/`);
    t.notMatch(itself.from, BUILT);
    t.strictSame(
      // Marks of CommonJS: Node.js 24 also lists a module's exports as a whole.
      itself.names.filter((member) => ![...built.names, 'module.exports', '__esModule'].includes(member)),
      [],
    );
  }
});

t.test('of two packages compiled code loads what the service uses', async (t) => {
  for (const [name, names] of [
    ['ajv/dist/2020.js', ['Ajv', 'Ajv2020']],
    ['undici', ['Client', 'errors']],
  ] as const) {
    const built = importedFrom(COMPILED, name);
    t.match(built.from, BUILT);
    t.strictSame(built.names, names);
  }
});

t.test('a listener and a pool connect by one and the same pg, which loads no fetch', async (t) => {
  const program = `import pg from 'pg';
    import pgListen from 'pg-listen';
    const fetches = process.moduleLoadList.filter((name) => name.endsWith('internal/deps/undici/undici'));
    pg.Client.prototype.connect = async () => { throw new Error('of the one pg'); };
    const said = await pgListen.default({ connectionString: 'postgres://nowhere.invalid' }, { retryLimit: 1 }).connect().catch(String);
    console.log(JSON.stringify({ fetches, said }));
    process.exit();`;
  const file = join(COMPILED, `imports-${process.pid}.mjs`);
  writeFileSync(file, program);
  t.teardown(() => rmSync(file));
  const { fetches, said } = JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
  t.strictSame(fetches, []);
  t.match(said, 'of the one pg');
});
