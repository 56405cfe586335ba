import type { TSchema } from 'typebox';
import { BODY_VALUES_MAX } from '../base/body-limits.js';
import { BODY_BYTES_MAX, LARGE_CALL_BYTES_MIN } from '../base/limits.js';
import { exampleEvent } from '../webhooks/samples.js';
import { HEADERS, headerParameters, headers, type Json, RATE_LIMIT_HEADERS } from './openapi-headers.js';
import { takesNulls, withNulls } from './routes/null-members.js';
import { BASE_PATH, honoursIdempotencyKey, problemsOf, type Route } from './routes/route.js';
import { campaignCreateSchema, campaignPageSchema, campaignPatchSchema, campaignSchema } from './schemas/campaign.js';
import { clickSchema } from './schemas/click-stream.js';
import { domainCreateSchema, domainPageSchema, domainSchema } from './schemas/domain.js';
import { environmentPatchSchema, environmentSchema } from './schemas/environment.js';
import { EVENT_DESCRIPTIONS, EVENT_TYPES, type EventType, eventBodySchema } from './schemas/events.js';
import { installSchema } from './schemas/install.js';
import { keyPageSchema, keySchema, listedKeySchema } from './schemas/key.js';
import { destinationsSchema, linkCreateSchema, linkPatchSchema, linkSchema } from './schemas/link.js';
import { bulkResultSchema } from './schemas/link-bulk.js';
import { linkPageSchema } from './schemas/link-list.js';
import { linkTestResultSchema, linkTestSchema } from './schemas/link-test.js';
import { fieldErrorSchema, problemSchema } from './schemas/problem.js';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from './schemas/problem-codes.js';
import { resourceTypeCreateSchema, resourceTypePageSchema, resourceTypePatchSchema, resourceTypeSchema } from './schemas/resource-type.js';
import { SCOPES } from './schemas/scopes.js';
import { sdkLinkCreateSchema, sdkOpenResultSchema, sdkOpenSchema, sdkResolvedSchema, sdkResolveSchema } from './schemas/sdk.js';
import { tagPageSchema, tagSchema } from './schemas/tag.js';
import { trackedEventCreateSchema, trackedEventSchema } from './schemas/tracked-event.js';
import {
  destinationWarningSchema,
  urlTemplateCreateSchema,
  urlTemplatePageSchema,
  urlTemplatePatchSchema,
  urlTemplateSchema,
  urlTemplateWithWarningsSchema,
  urlTestResultSchema,
  urlTestSchema,
} from './schemas/url-template.js';
import { sharedViewSchema, viewCreateSchema, viewPageSchema, viewPatchSchema, viewSchema, viewShareSchema } from './schemas/view.js';
import {
  deliveryPageSchema,
  deliverySchema,
  webhookCreateSchema,
  webhookPageSchema,
  webhookPatchSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from './schemas/webhook.js';

/** Schemas with a name under `components`. Every other schema is written where it is used. */
const NAMED_SCHEMAS: Readonly<Record<string, TSchema>> = {
  Link: linkSchema,
  LinkCreate: linkCreateSchema,
  LinkPatch: linkPatchSchema,
  LinkPage: linkPageSchema,
  BulkResult: bulkResultSchema,
  LinkTest: linkTestSchema,
  LinkTestResult: linkTestResultSchema,
  Tag: tagSchema,
  TagPage: tagPageSchema,
  Campaign: campaignSchema,
  CampaignCreate: campaignCreateSchema,
  CampaignPatch: campaignPatchSchema,
  CampaignPage: campaignPageSchema,
  Domain: domainSchema,
  DomainCreate: domainCreateSchema,
  DomainPage: domainPageSchema,
  View: viewSchema,
  ViewCreate: viewCreateSchema,
  ViewPatch: viewPatchSchema,
  ViewPage: viewPageSchema,
  ViewShare: viewShareSchema,
  SharedView: sharedViewSchema,
  Environment: environmentSchema,
  Key: keySchema,
  ListedKey: listedKeySchema,
  KeyPage: keyPageSchema,
  EnvironmentPatch: environmentPatchSchema,
  Install: installSchema,
  TrackedEvent: trackedEventSchema,
  TrackedEventCreate: trackedEventCreateSchema,
  SdkLinkCreate: sdkLinkCreateSchema,
  SdkResolve: sdkResolveSchema,
  SdkResolved: sdkResolvedSchema,
  SdkOpen: sdkOpenSchema,
  SdkOpenResult: sdkOpenResultSchema,
  Destinations: destinationsSchema,
  ResourceType: resourceTypeSchema,
  ResourceTypeCreate: resourceTypeCreateSchema,
  ResourceTypePatch: resourceTypePatchSchema,
  ResourceTypePage: resourceTypePageSchema,
  UrlTemplate: urlTemplateSchema,
  UrlTemplateWithWarnings: urlTemplateWithWarningsSchema,
  UrlTemplateCreate: urlTemplateCreateSchema,
  UrlTemplatePatch: urlTemplatePatchSchema,
  UrlTemplatePage: urlTemplatePageSchema,
  DestinationWarning: destinationWarningSchema,
  UrlTest: urlTestSchema,
  UrlTestResult: urlTestResultSchema,
  Webhook: webhookSchema,
  WebhookWithSecret: webhookWithSecretSchema,
  WebhookCreate: webhookCreateSchema,
  WebhookPatch: webhookPatchSchema,
  WebhookPage: webhookPageSchema,
  Delivery: deliverySchema,
  DeliveryPage: deliveryPageSchema,
  Click: clickSchema,
  Problem: problemSchema,
  FieldError: fieldErrorSchema,
};

const NAME_OF = new Map<unknown, string>(Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]));

export interface OpenApiOptions {
  /** Word in the names of the headers of a delivery. */
  readonly serviceName: string;
  readonly version: string;
}

/** The OpenAPI 3.1 document of the route table. Pure: the same rows give the same document, member for member. */
export function openApiDocument(routes: Readonly<Record<string, Route>>, options: OpenApiOptions): Json {
  const alone = new Set(
    Object.values(routes).flatMap((route) => problemsByStatus(route).flatMap((codes) => (codes.length === 1 ? codes : []))),
  );
  return {
    openapi: '3.1.1',
    info: {
      title: `${options.serviceName} API`,
      version: options.version,
      description:
        'Short links that open the app, URL templates, preview cards, analytics and signed webhooks. Timestamps are ISO 8601: the service returns UTC with milliseconds and accepts any offset. Unknown members of a body and unknown query parameters are refused. In the body of a POST or PUT, null for an optional member means the same as leaving it out. In a PATCH, null clears the member. Every object has an `ETag`. Send it back as `If-Match` with a change: the change is refused if somebody else has changed the object in the meantime. A change of what visitors see is answered when the link hosts act by it, after 5 seconds at the latest.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: BASE_PATH, description: 'This server' }],
    security: [{ secretKey: [] }],
    tags: [...new Set(Object.values(routes).map((route) => route.tag))].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths: paths(routes),
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type, options.serviceName) }])),
    components: {
      schemas: namedSchemas(routes),
      // A problem that always shares its status with others is written out with them.
      responses: Object.fromEntries(PROBLEM_CODES.filter((code) => alone.has(code)).map((code) => [code, problemResponse(code)])),
      examples: Object.fromEntries(PROBLEM_CODES.map((code) => [code, problemExample(code)])),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function namedSchemas(routes: Readonly<Record<string, Route>>): Json {
  const bodies = new Set<unknown>(Object.values(routes).flatMap((route) => (takesNulls(route) ? [route.body, route.items?.schema] : [])));
  const written = Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, members(bodies.has(schema) ? withNulls(schema) : schema)]);
  return Object.fromEntries(written);
}

/** What each group of operations is about. */
const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Links: 'Short links that open the app if it is installed, and lead to another destination if it is not.',
  Tags: 'Words by which links are found. A tag is created when a link first uses it.',
  Campaigns: 'Names and UTM defaults that links share.',
  Domains: 'Custom hosts that links are shown on, verified by a DNS record.',
  Environment: 'Settings of the environment that the key belongs to.',
  'Resource types': 'Kinds of items that share URL templates and a metadata API.',
  'URL templates': 'One pattern for all items of a resource type, so that no item needs a link of its own.',
  'Metadata API': 'Your endpoint that supplies the contents of preview cards.',
  Resources: 'Items behind URL templates: previews, cached answers, statistics.',
  Statistics: 'Clicks of the environment over time, and where they came from.',
  Views: 'Saved queries of clicks, and their public links.',
  Exports: 'All objects of one kind in one file, as a backup or for another service.',
  Imports: 'Links of another service, with their paths.',
  Events: 'Events as webhook endpoints receive them, and events that your servers report.',
  Installs: 'Installations of apps. They can be erased when their users ask for it.',
  SDK: 'What apps and browsers may do with a publishable key.',
  Webhooks: 'Endpoints that events are sent to, signed, and the log of deliveries.',
};

const SECURITY_SCHEMES: Json = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_test_... or sk_live_...',
    description: `A secret key. It belongs to one environment and has scopes: ${SCOPES.join(', ')}. Keep it on servers.`,
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pk_test_... or pk_live_...',
    description: 'A publishable key, for apps and browsers. It is accepted on `/sdk/*` only.',
  },
};

/** Headers of a problem besides those of limits, which every refusal of a counted request has. */
const PROBLEM_HEADERS: Partial<Record<ProblemCode, readonly string[]>> = {
  unauthorized: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  rate_limited: ['Retry-After'],
  service_unavailable: ['Retry-After'],
};

function problemExample(code: ProblemCode): Json {
  const { status, title, description } = PROBLEMS[code];
  return {
    summary: title,
    value: { type: `urn:problem:${code}`, title, status, detail: description, instance: 'urn:request:7b3f0c1e', code },
  };
}

/** A response that is one of these problems, which `code` distinguishes. */
function problemResponse(...codes: readonly ProblemCode[]): Json {
  const names = new Set(codes.flatMap((code) => PROBLEM_HEADERS[code] ?? []));
  // A path refuses other methods to everybody, and counts nothing.
  if (codes.some((code) => code !== 'method_not_allowed')) for (const name of RATE_LIMIT_HEADERS) names.add(name);
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].description}`).join('\n\n'),
    headers: headers(['X-Request-Id', ...names]),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  };
}

/** The problems that an operation can answer, grouped by status, in the order of the statuses. */
function problemsByStatus(route: Route): readonly (readonly ProblemCode[])[] {
  const codes = problemsOf(route);
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((one, other) => one - other);
  return statuses.map((status) => codes.filter((code) => PROBLEMS[code].status === status));
}

function paths(routes: Readonly<Record<string, Route>>): Json {
  const result: Record<string, Json> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    result[route.path] = { ...result[route.path], [route.method.toLowerCase()]: operation(operationId, route) };
  }
  return result;
}

function operation(operationId: string, route: Route): Json {
  const parameters = [...fields(route.params, 'path'), ...fields(route.query, 'query'), ...headerParameters(route)];
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined && route.scopes.length === 0 ? {} : { description: description(route) }),
    security: security(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body) }),
    responses: responses(route),
  };
}

function description(route: Route): string {
  const also = route.alsoScope === undefined ? '' : ` and \`${route.alsoScope}\``;
  const scopes = route.scopes.length === 0 ? '' : `Scope: ${route.scopes.map((scope) => `\`${scope}\``).join(' or ')}${also}.`;
  return [route.description, scopes].filter(Boolean).join('\n\n');
}

function security(route: Route): Json[] {
  if (route.key === 'none') return [];
  return route.key === 'publishable' ? [{ publishableKey: [] }] : [{ secretKey: [] }];
}

function fields(schema: Route['params'], place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, ...rest } = field as TSchema & { description?: string };
    const required = place === 'path' || (schema.required ?? []).includes(name);
    return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: reference(rest) };
  });
}

const MIB = 1024 * 1024;

/** Bulk calls have no bound of values. */
function valuesMax(bodyBytesMax: number): string {
  if (bodyBytesMax <= LARGE_CALL_BYTES_MIN || bodyBytesMax > BODY_BYTES_MAX) return '';
  const count = BODY_VALUES_MAX.toLocaleString('en');
  return `; a body of more than ${LARGE_CALL_BYTES_MIN / 1024} KiB may have ${count} values, at every depth together`;
}

function requestBody(route: Route, schema: TSchema): Json {
  const size = route.bodyBytesMax ?? BODY_BYTES_MAX;
  return {
    required: route.bodyOptional !== true,
    description: `At most ${size < MIB ? `${size / 1024} KiB` : `${size / MIB} MiB`}${valuesMax(size)}.`,
    content: { 'application/json': { schema: withItems(route, reference(inlined(route, schema)) as Json), ...examples(route) } },
  };
}

/** A body without a name is written where it is used, with the nulls that it accepts. */
function inlined(route: Route, schema: TSchema): TSchema {
  return NAME_OF.has(schema) || !takesNulls(route) ? schema : withNulls(schema);
}

/** Returns the body with the schema of the items that are judged one by one. */
function withItems({ items }: Route, body: Json): Json {
  if (items === undefined) return body;
  const properties = body.properties as Record<string, Json>;
  return { ...body, properties: { ...properties, [items.member]: { ...properties[items.member], items: reference(items.schema) } } };
}

function examples(route: Route): Json {
  if (route.examples === undefined) return {};
  return { examples: Object.fromEntries(Object.entries(route.examples).map(([name, value]) => [name, { value }])) };
}

function responses(route: Route): Json {
  const { status } = route.response;
  const success = [
    'X-Request-Id',
    ...(problemsOf(route).includes('rate_limited') ? RATE_LIMIT_HEADERS : []),
    ...(honoursIdempotencyKey(route) ? ['Idempotent-Replayed'] : []),
    ...(status === 201 && route.response.location !== false ? ['Location'] : []),
    ...(route.response.etag === true ? ['ETag'] : []),
  ];
  const result: Json = {
    [status]: {
      description: route.response.description,
      headers: headers(success),
      ...content(route.response),
    },
  };
  for (const codes of problemsByStatus(route)) {
    const [first, ...more] = codes as readonly [ProblemCode, ...ProblemCode[]];
    result[PROBLEMS[first].status] = more.length === 0 ? { $ref: `#/components/responses/${first}` } : problemResponse(...codes);
  }
  return result;
}

/** OpenAPI 3.1 cannot describe the items of a stream: the schema is that of its text, and the description says what its events are. */
function content({ schema, files, events }: Route['response']): Json {
  if (events !== undefined) return { content: { 'text/event-stream': { schema: { type: 'string', description: events } } } };
  if (schema !== undefined) return { content: { 'application/json': { schema: reference(schema) } } };
  // A file's schema is empty: its media type says what it is (OpenAPI 3.1, section 4.8.14.1).
  return files === undefined ? {} : { content: Object.fromEntries(files.map((type) => [type, {}])) };
}

function webhook(type: EventType, serviceName: string): Json {
  const header = (name: string, text: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: true,
    description: text,
    schema,
  });
  return {
    operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['Webhooks'],
    summary: EVENT_DESCRIPTIONS[type],
    description:
      'Sent to every endpoint subscribed to the type. Respond with any 2xx within 10 seconds. Redirects are not followed. A delivery that fails is retried, up to 8 attempts in all. Deduplicate on the event id.',
    parameters: [
      header(
        `X-${serviceName}-Signature`,
        '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the signing secret; one `v1` for each secret in force',
      ),
      header(`X-${serviceName}-Event`, 'Type of the event', { type: 'string', const: type }),
      header(`X-${serviceName}-Delivery`, 'Id of this attempt'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference(eventBodySchema(type)), examples: { sample: { value: exampleEvent(type) } } } },
    },
    responses: { '2XX': { description: 'The event was accepted. Any other response counts as a failure.' } },
  };
}

/** Returns the schema as plain JSON, with references to named schemas inside it. */
function reference(schema: unknown): unknown {
  const name = NAME_OF.get(schema);
  return name === undefined ? members(schema) : { $ref: `#/components/schemas/${name}` };
}

function members(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(reference);
  if (typeof schema !== 'object' || schema === null) return schema;
  const written = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, reference(value)]));
  return withDefaultsTold(withOpenMembers(written));
}

/** The pattern that TypeBox writes for a record of any names. */
const ANY_NAME = '^.*$';

/**
 * An object whose member names are not known in advance has `additionalProperties`. Without it, or with `patternProperties`
 * alone, client generators produce an object without members.
 */
function withOpenMembers(schema: Json): Json {
  if (![schema.type].flat().includes('object') || schema.properties !== undefined) return schema;
  const { patternProperties, additionalProperties, ...rest } = schema;
  return { ...rest, additionalProperties: (patternProperties as Json | undefined)?.[ANY_NAME] ?? additionalProperties ?? true };
}

/** An optional field describes its default in words: from a `default`, client generators conclude that the field is always present. */
function withDefaultsTold(schema: Json): Json {
  if (typeof schema.properties !== 'object' || schema.properties === null) return schema;
  const required = new Set(schema.required as readonly string[] | undefined);
  const told = Object.entries(schema.properties).map(([name, field]) => {
    const { default: value, ...rest } = field as Json;
    if (value === undefined || required.has(name)) return [name, field];
    return [name, { ...rest, description: `${rest.description ?? ''} (default: \`${JSON.stringify(value)}\`)`.trimStart() }];
  });
  return { ...schema, properties: Object.fromEntries(told) };
}
