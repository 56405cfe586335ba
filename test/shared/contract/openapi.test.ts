import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import t from 'tap';
import { compileValidator } from '../../../control-plane/http/validate.js';
import { openApiDocument } from '../../../shared/contract/openapi.js';
import type { Route } from '../../../shared/contract/routes/route.js';
import { problemsOf } from '../../../shared/contract/routes/route.js';
import { OPERATION_IDS, ROUTES, routeOf } from '../../../shared/contract/routes.js';
import { EVENT_TYPES, type EventType, eventBodySchema } from '../../../shared/contract/schemas/events.js';
import { PROBLEM_CODES, PROBLEMS } from '../../../shared/contract/schemas/problem-codes.js';

const root = new URL('../../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('package.json', root)), 'utf8')) as { version: string };
const document = openApiDocument(ROUTES, { serviceName: 'Service', version }) as unknown as {
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; parameters?: { name: string }[]; requestBody?: { description: string }; responses: Record<string, unknown> }
    >
  >;
  tags: readonly { name: string; description?: string }[];
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { examples: { sample: { value: { type: string } } } } } } } }
  >;
  components: Record<'responses' | 'schemas' | 'examples' | 'headers', Record<string, unknown>>;
};

t.test('the committed document equals the one made from the route table; repair it with: npm run openapi', async (t) => {
  const committed = JSON.parse(readFileSync(fileURLToPath(new URL('shared/contract/openapi.json', root)), 'utf8'));
  t.same(JSON.parse(JSON.stringify(document)), committed);
});

t.test('a public linter finds nothing wrong with the document', async (t) => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  t.same(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
    [],
  );
});

t.test('every route is an operation of the document, with every status that it can answer', async (t) => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  t.same(operations.map((operation) => operation.operationId).sort(), [...OPERATION_IDS].sort());
  for (const id of OPERATION_IDS) {
    const route = routeOf(id);
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    const statuses = new Set([route.response.status, ...problemsOf(route).map((code) => PROBLEMS[code].status)].map(String));
    t.same(Object.keys(operation?.responses ?? {}).sort(), [...statuses].sort(), id);
  }
});

t.test('every POST that takes an API key takes an Idempotency-Key', async (t) => {
  for (const id of OPERATION_IDS) {
    const { path, method, key }: Route = routeOf(id);
    const operation = document.paths[path]?.[method.toLowerCase()];
    const taken = operation?.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
    t.equal(taken, method === 'POST' && key !== 'none', id);
  }
});

t.test('every problem of the table is in the document', async (t) => {
  t.same(Object.keys(document.components.examples), [...PROBLEM_CODES]);
});

t.test('every body says how large it may be, and how many values it may have unless it is small or of a bulk call', async (t) => {
  for (const id of OPERATION_IDS.filter((id) => routeOf(id).body !== undefined)) {
    const { path, method } = routeOf(id);
    const { description } = document.paths[path]?.[method.toLowerCase()]?.requestBody ?? {};
    const hasNoBound = ['createLinks', 'importLinks', 'readSharedView'].includes(id);
    t.match(
      description,
      hasNoBound ? /^At most (8 MiB|4 KiB)\.$/ : /^At most \d+ [KM]iB; .* may have 5,000 values, at every depth together\.$/,
      id,
    );
  }
});

t.test('every operation with a body has examples, and each of them is valid', async (t) => {
  for (const id of OPERATION_IDS) {
    const route = routeOf(id);
    if (route.body === undefined) continue;
    const examples = Object.entries(route.examples ?? {});
    t.ok(examples.length > 0, id);
    for (const [name, example] of examples) t.same(compileValidator(route.body, 'body')(example), [], `${id} ${name}`);
  }
});

t.test('every group of operations has a description', async (t) => {
  t.ok(document.tags.length > 0);
  for (const { name, description } of document.tags) t.ok(description, `${name}: add it to TAG_DESCRIPTIONS`);
});

t.test('every event has a valid example', async (t) => {
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { examples } = post.requestBody.content['application/json'];
    t.equal(examples.sample.value.type, type);
    t.same(compileValidator(eventBodySchema(type as EventType), 'body')(examples.sample.value), [], type);
  }
});

t.test('every event type has a webhook in the document', async (t) => {
  t.same(Object.keys(document.webhooks), [...EVENT_TYPES]);
});

t.test('every reference in the document has a target', async (t) => {
  const references: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value))
      if (key === '$ref') references.push(member as string);
      else walk(member);
  };
  walk(document);
  t.ok(references.length > 50);
  for (const reference of new Set(references)) {
    const target = reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((at, token) => (at as Record<string, unknown>)?.[token], document);
    t.ok(target, reference);
  }
});

interface Described {
  readonly description?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Described[];
  readonly properties?: Readonly<Record<string, Described>>;
}

t.test('every field of a body has a description, or what it may be instead of null has one', async (t) => {
  const missing = new Set<string>();
  const isDescribed = ({ description, $ref, properties, anyOf = [] }: Described): boolean =>
    (description ?? $ref ?? properties) !== undefined || anyOf.some(isDescribed);
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties = {}, ...others } = value as Described;
    for (const [name, field] of Object.entries(properties)) {
      if (!isDescribed(field)) missing.add(`${place}.${name}`);
      walk(field, `${place}.${name}`);
    }
    for (const [name, other] of Object.entries(others)) if (!/^examples?$/.test(name)) walk(other, `${place} ${name}`);
  };
  for (const part of ['paths', 'webhooks'] as const) walk(document[part], part);
  walk(document.components.schemas, 'schemas');
  t.same([...missing], []);
});

t.test('links and templates say alike where passed parameters go: to the destination and the app', async (t) => {
  const descriptions: unknown[] = [];
  JSON.stringify(document, (name, value) => {
    if (name === 'allow_param_passthrough' && typeof value === 'object') descriptions.push(value.description);
    return value;
  });
  t.ok(descriptions.length > 5);
  for (const description of descriptions) t.match(description, 'the destination and the app');
});

t.test('every component is referenced by name', async (t) => {
  const text = JSON.stringify(document);
  for (const kind of ['schemas', 'responses', 'examples', 'headers'] as const)
    for (const name of Object.keys(document.components[kind])) t.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`);
});

/** Every schema object of the document, with its path. */
function schemas(): readonly (readonly [string, Record<string, unknown>])[] {
  const found: [string, Record<string, unknown>][] = [];
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const member = value as Record<string, unknown>;
    if ([member.type].flat().includes('object')) found.push([place, member]);
    for (const [key, each] of Object.entries(member)) if (key !== 'example' && key !== 'examples') walk(each, `${place}/${key}`);
  };
  walk(document, '');
  return found;
}

t.test('every object schema lists its members or says what other members may be', async (t) => {
  t.ok(schemas().length > 50);
  for (const [place, schema] of schemas()) t.ok(schema.properties !== undefined || schema.additionalProperties !== undefined, place);
});

t.test('an optional field has no default, since generators would take the field for always present', async (t) => {
  for (const [place, { properties, required }] of schemas())
    for (const [name, field] of Object.entries((properties ?? {}) as Record<string, { default?: unknown }>))
      if (field.default !== undefined) t.ok((required as readonly string[] | undefined)?.includes(name), `${place} ${name}`);
});
