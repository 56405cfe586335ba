import { posix } from 'node:path';
import t from 'tap';
import { importsOf, readTreeFile, sourceFiles } from '../support/source-tree.js';

const JUDGEMENTS = 'test/support/url-judgements.ts';

/** Files that parse a URL without judging anybody's text by it. */
const NO_JUDGES: Readonly<Record<string, string>> = {
  'shared/metadata/call.ts': 'a URL that was judged before',
  'shared/tracing/settings.ts': 'a setting of the operator',
  'shared/base/pooled-url.ts': 'a setting of the operator',
  'shared/base/postgres-url.ts': 'a setting of the operator',
  'shared/base/service-settings.ts': 'a setting of the operator',
  'engine/visit/visit-pages.ts': 'names the host of a judged URL',
  'engine/webhooks/attempt-span.ts': 'names the host of a judged URL',
  'engine/webhooks/deliver.ts': 'sends to a judged URL',
  'control-plane/http/validate.ts': 'the form alone, with parseUrl itself',
  'control-plane/domains/host-probe.ts': 'a URL of our own',
  'control-plane/cli/http-url.ts': 'an argument of the command line',
  'control-plane/cli/demo.ts': 'an argument of the command line',
  'control-plane/imports/trial.ts': 'compares what the API would store',
  'control-plane/imports/existing-links.ts': 'compares what the API would store',
  'control-plane/imports/sources/bitly.ts': 'the next page of a service, on the host that the operator named',
  'control-plane/imports/sources/source-api.ts': 'names the host to which a service redirects',
};

const PARSES = /\bparseUrl\(|\bnew URL\((?!.*import\.meta)/;

t.test('every module that parses a URL is covered by the comparison before and after V8 optimises it', async (t) => {
  const compared = new Set(importsOf(JUDGEMENTS).map((path) => posix.join(posix.dirname(JUDGEMENTS), path).replace(/\.js$/, '.ts')));
  const code = (file: string) => readTreeFile(file).replaceAll(/`[^`]*`|'[^'\n]*'|\/\*.*?\*\//gs, "''");
  const parsing = sourceFiles().filter(
    (file) => /^(shared|engine|control-plane)\/(?!dashboard\/|docs\/|sdk\/)/.test(file) && PARSES.test(code(file)),
  );
  const missing = parsing.filter((file) => !compared.has(file) && NO_JUDGES[file] === undefined);
  t.strictSame(missing, [], `add them to ${JUDGEMENTS}, or say here why they judge nothing`);
  t.strictSame(
    Object.keys(NO_JUDGES).filter((file) => !parsing.includes(file)),
    [],
    'the file no longer parses a URL: remove its reason',
  );
});
