import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { documentWithSamples } from '../../../control-plane/docs/document.js';
import { openApiDocument } from '../../../shared/contract/openapi.js';
import { OPERATION_IDS, ROUTES } from '../../../shared/contract/routes.js';
import { ROOT } from '../../support/source-tree.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Sampled {
  readonly paths: Readonly<Record<string, Readonly<Record<string, SampledOperation>>>>;
}

interface SampledOperation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly [{ readonly lang: string; readonly label: string; readonly source: string }];
}

const plain = openApiDocument(ROUTES, { serviceName: 'Service', version: '1.2.3' });
const document = documentWithSamples(plain) as unknown as Sampled;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const sampleOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.['x-codeSamples'][0];

t.test('every operation has a sample, for the client SDK if apps may call it and for the server SDK otherwise', async (t) => {
  t.same(operations.map(({ operationId }) => operationId).toSorted(), [...OPERATION_IDS].toSorted());
  for (const [path, methods] of Object.entries(document.paths))
    for (const { operationId, 'x-codeSamples': samples } of Object.values(methods)) {
      t.equal(samples[0].label, path.startsWith('/sdk/') ? '@link-service/client' : '@link-service/server', operationId);
      t.notMatch(samples[0].source, /\$\w|undefined/, operationId);
    }
  t.match(sampleOf('createLink')?.source, "service.links.create({ destinations: { web: 'https://example.com/spring' } });");
  t.match(sampleOf('getLink')?.source, "service.links.get('lnk_01jd4v6xq8e5s0m3k7n9p2r4tw');");
});

t.test('without its samples the document equals the one that the API serves', async (t) => {
  const bare = JSON.parse(JSON.stringify(document), (key, value) => (key === 'x-codeSamples' ? undefined : value));
  t.same(bare, JSON.parse(JSON.stringify(plain)));
});

t.test('every sample compiles with the types of its SDK', async (t) => {
  const folder = temporaryFolder(t);
  const files = operations.map(({ operationId, 'x-codeSamples': [{ source }] }) => {
    const file = join(folder, `${operationId}.ts`);
    writeFileSync(file, source);
    return file;
  });
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
    paths: {
      '@link-service/server': [join(ROOT, 'shared', 'sdk', 'server.ts')],
      '@link-service/client': [join(ROOT, 'shared', 'sdk', 'browser.ts')],
    },
  });
  const faults = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  t.same(
    faults.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
    [],
  );
});
