import t from 'tap';
import { PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import { readTreeFile, sourceFiles } from '../support/source-tree.js';

/** The public contract: clients branch on these codes. Rows may be added, but none is ever changed or removed. */
const CONTRACT: Readonly<Record<string, number>> = {
  bad_request: 400,
  unauthorized: 401,
  password_required: 401,
  insufficient_scope: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  url_blocked: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
};

interface Document {
  readonly components: {
    readonly examples: Record<string, { readonly value: { readonly code: string; readonly status: number } }>;
    readonly schemas: {
      readonly Problem: {
        readonly properties: { readonly code: { readonly enum?: readonly string[]; readonly anyOf?: readonly { const: string }[] } };
      };
    };
  };
}

t.test('the table of problems has exactly the codes and statuses of the contract', async (t) => {
  t.strictSame(Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])), CONTRACT);
});

t.test('the published document has the same errors, as examples with their status and as values of `code`', async (t) => {
  const { components } = JSON.parse(readTreeFile('shared/contract/openapi.json')) as Document;
  const published = Object.entries(components.examples).map(([name, { value }]) => {
    t.equal(value.code, name);
    return [name, value.status];
  });
  t.strictSame(Object.fromEntries(published), CONTRACT);
  const { code } = components.schemas.Problem.properties;
  t.strictSame(code.enum ?? code.anyOf?.map((member) => member.const), Object.keys(CONTRACT));
});

t.test('a refusal because of a limit on objects says what to do', async (t) => {
  const refusals = sourceFiles()
    .filter((file) => file.startsWith('control-plane/'))
    .flatMap((file) => readTreeFile(file).match(/`An? [a-z ]+ has at most \$\{[A-Z_]+\}[^`]*`/g) ?? []);
  t.ok(refusals.length > 4);
  t.same(
    refusals.filter((text) => !/: \w/.test(text)),
    [],
    'add what to do after a colon, such as ": delete one first"',
  );
});
