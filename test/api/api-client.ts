import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Test } from 'tap';
import { openApiDocument } from '../../shared/contract/openapi.js';
import { ROUTES } from '../../shared/contract/routes.js';

/** The answer as raw text, and as JSON if it is JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by the OpenAPI document, member by member
  readonly json: any;
}

export interface ApiRequest {
  readonly key?: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type Json = Record<string, unknown>;

const document = openApiDocument(ROUTES, { serviceName: 'Service', version: '0.0.0' }) as {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  components: { responses: Record<string, unknown> };
};

/** Closes the schemas of objects with properties, so that every member of an answer must be in the document. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Json = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  return 'properties' in copy && copy.type === 'object' ? { additionalProperties: false, ...copy } : copy;
}

// Another test checks that the document follows the rules of OpenAPI. Optimising the generated code would take a quarter of a
// second in each test file, which does not pay for a few answers.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false, code: { optimize: false } });
ajv.addSchema({ $id: 'https://api.invalid/document', ...(closed(document) as Json) });
const validators = new Map<string, ValidateFunction>();

function pointer(...tokens: string[]): string {
  return tokens.map((token) => `/${encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

function validatorOf(path: string): ValidateFunction {
  let validate = validators.get(path);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `https://api.invalid/document#${path}` });
    validators.set(path, validate);
  }
  return validate;
}

/** The path of the document that matches the request path, or null. A path without parameters has precedence over one with parameters. */
function documentedPath(path: string): string | null {
  if (Object.hasOwn(document.paths, path)) return path;
  const segments = path.split('/');
  for (const candidate of Object.keys(document.paths)) {
    const parts = candidate.split('/');
    if (parts.length === segments.length && parts.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at])))
      return candidate;
  }
  return null;
}

/** Where the answer departs from the OpenAPI document; empty if it agrees. */
export function documentFaults(method: string, path: string, answer: ApiAnswer): readonly string[] {
  const faults: string[] = [];
  if (!answer.headers.get('x-request-id')) faults.push('no X-Request-Id');
  const problem = answer.status >= 400;
  const type = answer.headers.get('content-type') ?? '';
  if (problem && type !== 'application/problem+json') faults.push(`content type ${type}`);
  if (problem && !faults.length) {
    const validate = validatorOf('/components/schemas/Problem');
    if (!validate(answer.json)) faults.push(ajv.errorsText(validate.errors));
    if (answer.json.status !== answer.status) faults.push('status in the body differs');
    if (answer.json.instance !== `urn:request:${answer.headers.get('x-request-id')}` && !answer.headers.has('idempotent-replayed'))
      faults.push('instance is not the request');
  }
  const documented = documentedPath(path);
  if (documented === null || method === 'OPTIONS' || method === 'HEAD') return faults;
  const operation = document.paths[documented]?.[method.toLowerCase()];
  if (operation === undefined) return answer.status === 405 ? faults : [...faults, 'the operation is not in the document'];
  const response = operation.responses[answer.status] as { content?: Json } | undefined;
  if (response === undefined) return [...faults, `the document has no ${answer.status} for ${method} ${documented}`];
  if (problem) return faults;
  if (response.content === undefined) return answer.text === '' ? faults : [...faults, 'a body where none is documented'];
  if (!('application/json' in response.content)) return type in response.content ? faults : [...faults, `content type ${type}`];
  const at = pointer(
    'paths',
    documented,
    method.toLowerCase(),
    'responses',
    String(answer.status),
    'content',
    'application/json',
    'schema',
  );
  const validate = validatorOf(at);
  if (!validate(answer.json)) faults.push(ajv.errorsText(validate.errors));
  return faults;
}

/** Sends the request, checks the answer against the OpenAPI document, and returns it. */
export async function call(t: Test, baseUrl: string, line: string, request: ApiRequest = {}): Promise<ApiAnswer> {
  const [method, path] = line.split(' ') as [string, string];
  const answer = await send(baseUrl, line, request);
  t.same(documentFaults(method, path.split('?')[0] as string, answer), [], `${line} answers ${answer.status} as documented`);
  return answer;
}

/** Like `call`, without the check. */
export async function send(baseUrl: string, line: string, request: ApiRequest = {}): Promise<ApiAnswer> {
  const [method, path] = line.split(' ') as [string, string];
  const body = request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const response = await fetch(baseUrl + path, {
    method,
    ...(body === undefined ? {} : { body }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    headers: {
      ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
  });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  // A stream does not end by itself.
  if (isStream) await response.body?.cancel();
  const text = isStream ? '' : await response.text();
  const json = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, text, json };
}
