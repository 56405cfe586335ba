import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import ts from 'typescript';
import { buildSdks } from '../../../shared/sdk/build.js';
import { readTreeFile, treeFiles } from '../../support/source-tree.js';

/** Tests both packages as users get them: packed, installed into an empty project, and run and type-checked there. */

const run = promisify(execFile);
const dir = t.testdir({ packages: {}, tarballs: {}, project: { 'package.json': '{"private":true}' } });
const project = join(dir, 'project');

/** The steps that both kinds of program take. `load` is how they load the packages. */
const PROGRAM = (load: (name: string) => string) => `
const server = ${load('@link-service/server')};
const client = ${load('@link-service/client')};
const { createHmac } = ${load('node:crypto')};
const key = 'a1B2'.repeat(8);
const answer = async () => new Response('{"id":"lnk_1","created_at":"x"}', { status: 201 });
const baseUrl = 'https://api.example.com/v1';
async function main() {
  const service = new server.LinkService({ secretKey: 'sk_test_' + key, baseUrl, fetch: answer });
  const link = await service.links.create({ deepLinkPath: '/a' });
  let refused = '';
  try { new server.LinkService({ secretKey: 'pk_test_' + key, baseUrl }); } catch (error) { refused = error.name; }
  const body = '{"id":"evt_1","type":"link.created","data":{}}';
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', 'whsec_x').update(t + '.' + body).digest('hex');
  const event = server.verifyWebhook(body, 't=' + t + ',v1=' + v1, 'whsec_x');
  const links = new client.LinkClient({ publishableKey: 'pk_test_' + key, baseUrl, fetch: answer });
  const shared = await links.createLink({ deepLinkPath: '/b' });
  console.log(JSON.stringify([link.createdAt, refused, event.id, shared.id, (await links.installId()).slice(0, 4)]));
}
main();
`;

const TYPED = `
import { ApiError, LinkService, type Link, verifyWebhook } from '@link-service/server';
import { LinkClient, type OpenResult, reactNativeDevice } from '@link-service/client';

export async function typed(): Promise<void> {
  const service = new LinkService({ secretKey: 'x', baseUrl: 'y', maxRetries: 1 });
  const link: Link = await service.links.create({ deepLinkPath: '/a', data: { any: { thing: 1 } }, destinations: { web: null } });
  const fields: [string, string, string, 'active' | 'scheduled' | 'disabled' | 'blocked' | 'expired', string, string | null] = [link.id, link.url, link.path, link.status, link.createdAt, link.expiresAt];
  for await (const { id, pathPattern } of service.urlTemplates.list({ status: 'active' })) console.log(id, pathPattern, fields);
  const { results } = await service.links.createMany([{ path: 'a' }], { onProgress: ({ done }) => done });
  for (const item of results) if ('link' in item) item.link.utmSource; else item.error.errors?.[0]?.pointer;
  const event = verifyWebhook('', '', '');
  if (event.type === 'install.attributed') event.data.matched_factors.includes('address');
  if (event.type === 'click.created') event.data.bot satisfies boolean;
  const client = new LinkClient({ publishableKey: 'x', baseUrl: 'y', device: reactNativeDevice({ Platform: { OS: 'ios', Version: '17' } }) });
  const opened: OpenResult | null = await client.open({ url: null });
  opened?.deepLinkPath satisfies string | null | undefined;
  await client.track('x', { value: 1, currency: 'EUR', properties: { my_key: 1 } });
  try { await service.links.get('x'); } catch (error) { if (error instanceof ApiError && error.code === 'not_found') error.requestId; }
}
`;

/** Lines that the compiler must refuse: a field and a status that do not exist, and a publishable key that chooses where a link leads. */
const WRONG = `import { LinkService } from '@link-service/server';
import { LinkClient } from '@link-service/client';
new LinkService({ secretKey: 'x', baseUrl: 'y' }).links.create({ deepLink: '/a' });
new LinkService({ secretKey: 'x', baseUrl: 'y' }).links.list({ status: 'gone' });
new LinkClient({ publishableKey: 'x', baseUrl: 'y' }).createLink({ destinations: { web: 'https://example.com/' } });
`;
const WRONG_LINES = [3, 4, 5];

/** What the samples of the READMEs and the guides leave to the reader: packages that are not installed here, and names of the program around them. */
const READER = `
declare module 'react-native';
declare module '@react-native-async-storage/async-storage';
declare const router: { push(...route: unknown[]): void };
declare const playReferrer: string | null;
declare const clipboard: string | null;
declare const process: { readonly env: Record<string, string | undefined> };
declare const id: string;
declare const webhookId: string;
declare const products: readonly number[];
declare function load(): Promise<string | undefined>;
declare function save(...what: unknown[]): Promise<void>;
declare const express: { raw(options: object): unknown };
declare const app: { post(path: string, parser: unknown, handler: (request: any, response: any) => void): void };
`;
/** Names that an earlier sample of the same README has introduced. */
const EARLIER: Readonly<Record<string, string>> = {
  client: '',
  server: `import { etagOf, verifyWebhook } from '@link-service/server';
declare const service: import('@link-service/server').LinkService;
`,
};

/** Returns the samples of a README as modules. One with imports of its own is taken as it stands. */
function samplesOf(name: string): readonly string[] {
  const text = readFileSync(join(project, 'node_modules', '@link-service', name, 'README.md'), 'utf8');
  const samples = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, sample = '']) => sample);
  return samples.map((sample) => `${sample.startsWith('import ') ? '' : EARLIER[name]}${sample}export {};\n`);
}

const GUIDES = 'control-plane/docs/guides/';

/** Returns the samples of the guides as modules. Their blocks name no language, and begin with an import or a call of the client. */
function samplesOfGuides(): readonly string[] {
  const guides = treeFiles().filter((file) => file.startsWith(GUIDES));
  const samples = guides.flatMap((file) => [
    ...readTreeFile(file).matchAll(/^```\n((?:import |const \w+ = await |await )[\s\S]*?)^```$/gm),
  ]);
  return samples.map(([, sample = '']) => {
    const client = sample.includes('const links =') ? '' : "declare const links: import('@link-service/client').LinkClient;\n";
    return `${client}${sample}export {};\n`;
  });
}

/** Compiles the files strictly. Returns what TypeScript complains about, each with its file and line. */
function complaintsAbout(files: readonly string[]): readonly { readonly where: string; readonly what: string }[] {
  const program = ts.createProgram([...files], {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => ({
    where: file === undefined ? '' : `${basename(file.fileName)}:${file.getLineAndCharacterOfPosition(start ?? 0).line + 1}`,
    what: ts.flattenDiagnosticMessageText(messageText, ' '),
  }));
}

t.before(async () => {
  const packages = await buildSdks(join(dir, 'packages'));
  const npm = (...parameters: string[]) =>
    run('npm', [...parameters, '--offline', '--no-audit', '--no-fund', '--silent'], { cwd: project });
  await npm('pack', ...packages, '--pack-destination', join(dir, 'tarballs'));
  const tarballs = readdirSync(join(dir, 'tarballs')).map((name) => join(dir, 'tarballs', name));
  await npm('install', ...tarballs);
});

t.test('the packages are installed from their tarballs, without dependencies', async (t) => {
  t.same(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@link-service'],
  );
  for (const name of ['server', 'client']) {
    const folder = join(project, 'node_modules', '@link-service', name);
    t.same(readdirSync(folder).sort(), ['LICENSE', 'README.md', 'cjs', 'esm', 'package.json']);
    t.equal(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies, undefined);
  }
});

t.test('the packages run as ES modules and as CommonJS', async (t) => {
  writeFileSync(
    join(project, 'program.mjs'),
    PROGRAM((name) => `await import('${name}')`),
  );
  writeFileSync(
    join(project, 'program.cjs'),
    PROGRAM((name) => `require('${name}')`),
  );
  for (const program of ['program.mjs', 'program.cjs']) {
    const { stdout } = await run(process.execPath, [program], { cwd: project });
    t.same(JSON.parse(stdout), ['x', 'ConfigurationError', 'evt_1', 'lnk_1', 'ins_'], program);
  }
});

t.test('the types of the packages work in both kinds of modules', async (t) => {
  for (const file of ['typed.mts', 'typed.cts']) writeFileSync(join(project, file), TYPED);
  writeFileSync(join(project, 'wrong.mts'), WRONG);
  const files = ['typed.mts', 'typed.cts', 'wrong.mts'].map((file) => join(project, file));
  const said = complaintsAbout(files);
  const expected = WRONG_LINES.map((line) => `wrong.mts:${line}`);
  t.same(
    said.filter(({ where }) => !expected.includes(where)),
    [],
  );
  t.same(said.map(({ where }) => where).sort(), expected);
});

t.test('every sample of the READMEs and the guides compiles as it is pasted', async (t) => {
  writeFileSync(join(project, 'reader.d.ts'), READER);
  const files = ['client', 'server', 'guides'].flatMap((name) =>
    (name === 'guides' ? samplesOfGuides() : samplesOf(name)).map((sample, index) => {
      const file = join(project, `${name}-${index}.mts`);
      writeFileSync(file, sample);
      return file;
    }),
  );
  t.ok(files.length >= 15, String(files.length));
  t.same(complaintsAbout([...files, join(project, 'reader.d.ts')]), []);
});

t.test('the client is under 6 KB compressed, and uses nothing of Node.js', async (t) => {
  for (const folder of ['esm', 'cjs']) {
    const file = readFileSync(join(project, 'node_modules', '@link-service', 'client', folder, 'index.js'));
    t.ok(gzipSync(file, { level: 9 }).length < 6 * 1024, `${gzipSync(file).length} bytes`);
    t.notMatch(file.toString(), /node:|require\(|process\.|Buffer/);
  }
});

t.test('the repository’s own package exports both', async (t) => {
  const [server, client] = ['link-service/sdk', 'link-service/sdk/client'];
  t.type((await import(server as string)).LinkService, 'function');
  t.type((await import(client as string)).LinkClient, 'function');
});
