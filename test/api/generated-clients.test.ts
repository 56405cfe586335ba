import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { generateSource } from 'oazapfts';
import openapiTS, { astToString } from 'openapi-typescript';
import t, { type Test } from 'tap';
import ts from 'typescript';
import { type ApiServer, startApiServer } from './api-server.js';

/** Tests clients as customers generate them from the document, each with the defaults of its generator. */

const DOCUMENT = fileURLToPath(new URL('../../../shared/contract/openapi.json', import.meta.url));
const api = await startApiServer(t);

/** What a client's program returns. */
interface Outcome {
  readonly path: string;
  readonly data: unknown;
  readonly listed: number;
  readonly scheme: unknown;
  readonly tracked: unknown;
  readonly missing: { readonly status: number; readonly code: string };
  readonly deleted: number;
}
type Program = (baseUrl: string, key: string) => Promise<Outcome>;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};

/** Compiles the files in a folder of the checkout, so that packages are found, and loads the program. */
async function compile(t: Test, files: Readonly<Record<string, string>>): Promise<Program> {
  const folder = t.testdir();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const program = ts.createProgram([join(folder, 'program.ts')], OPTIONS);
  const faults = [...ts.getPreEmitDiagnostics(program)].map((fault) => ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
  t.strictSame(faults, [], 'the program compiles, strictly');
  program.emit();
  return ((await import(pathToFileURL(join(folder, 'program.js')).href)) as { run: Program }).run;
}

async function judge(t: Test, run: Program, { baseUrl, liveKey }: ApiServer): Promise<void> {
  const outcome = await run(baseUrl, liveKey);
  t.match(outcome, {
    path: /^[0-9A-Za-z]{7}$/,
    data: { product: { id: 42 } },
    scheme: { priority: 1 },
    tracked: { sku: 'A-1' },
    missing: { status: 404, code: 'not_found' },
    deleted: 204,
  });
  t.ok(outcome.listed > 0);
}

/** Leaves out `deep_link_path`, a member with a default, and fills records with arbitrary names. */
const FETCH_PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

export async function run(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
  const made = await client.POST('/links', {
    body: { data: { product: { id: 42 } }, destinations: { web: 'https://example.com/' } },
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  });
  if (made.data === undefined) throw new Error(JSON.stringify(made.error));
  const { id, path } = made.data;
  const read = await client.GET('/links/{link}', { params: { path: { link: id } } });
  const listed = await client.GET('/links', { params: { query: { limit: 5 } } });
  const changed = await client.PATCH('/links/{link}', { params: { path: { link: id } }, body: { data: { priority: 1 } } });
  const tracked = await client.POST('/events', { body: { name: 'sale', properties: { sku: 'A-1' } } });
  const missing = await client.GET('/links/{link}', { params: { path: { link: 'lnk_01jd4v6xq8e5s0m3k7n9p2r4tw' } } });
  const deleted = await client.DELETE('/links/{link}', { params: { path: { link: id } } });
  return {
    path,
    data: read.data?.data,
    listed: listed.data?.data.length ?? 0,
    scheme: changed.data?.data,
    tracked: tracked.data?.properties,
    missing: { status: missing.response.status, code: missing.error?.code },
    deleted: deleted.response.status,
  };
}
`;

t.test('a client made by openapi-typescript for openapi-fetch compiles and works', async (t) => {
  const schema = astToString(await openapiTS(JSON.parse(readFileSync(DOCUMENT, 'utf8'))));
  await judge(t, await compile(t, { 'schema.ts': schema, 'program.ts': FETCH_PROGRAM }), api);
});

const OAZAPFTS_PROGRAM = `
import * as client from './client.js';

export async function run(baseUrl: string, key: string) {
  client.defaults.baseUrl = baseUrl;
  client.defaults.headers = { authorization: \`Bearer \${key}\` };
  const made = await client.createLink(
    { data: { product: { id: 42 } }, destinations: { web: 'https://example.com/' } },
    { idempotencyKey: crypto.randomUUID() },
  );
  if (made.status !== 201) throw new Error(JSON.stringify(made.data));
  const { id, path } = made.data;
  const read = await client.getLink(id);
  const listed = await client.listLinks({ limit: 5 });
  const changed = await client.updateLink(id, { data: { priority: 1 } });
  const tracked = await client.trackEvent({ name: 'sale', properties: { sku: 'A-1' } });
  const missing = await client.getLink('lnk_01jd4v6xq8e5s0m3k7n9p2r4tw');
  const deleted = await client.deleteLink(id);
  return {
    path,
    data: read.status === 200 ? read.data.data : undefined,
    listed: listed.status === 200 ? listed.data.data.length : 0,
    scheme: changed.status === 200 ? changed.data.data : undefined,
    tracked: tracked.status === 201 ? tracked.data.properties : undefined,
    missing: { status: missing.status, code: missing.status === 404 ? missing.data.code : '' },
    deleted: deleted.status,
  };
}
`;

t.test('a client made by oazapfts compiles and works', async (t) => {
  const source = await generateSource(DOCUMENT);
  await judge(t, await compile(t, { 'client.ts': source, 'program.ts': OAZAPFTS_PROGRAM }), api);
});
