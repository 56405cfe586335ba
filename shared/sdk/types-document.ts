import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The parts of the OpenAPI document from which the types of the SDKs are made. */

type Json = Record<string, unknown>;

export interface ApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Json;
  readonly components: Readonly<Record<string, Json>>;
}

interface Operation extends Json {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Json>>;
}

/** The operations that each file of types covers. */
export const SDK_TYPES = [
  { file: 'server-types.ts', isOf: (path: string) => !path.startsWith('/sdk/'), webhooks: true },
  { file: 'client-types.ts', isOf: (path: string) => path.startsWith('/sdk/'), webhooks: false },
] as const;

/** Returns the parts of the document that an SDK is made from: its operations with their successful answers, and the schemas they need. */
export function documentOf(document: ApiDocument, { isOf, webhooks }: (typeof SDK_TYPES)[number]): Json {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => isOf(path))
      .map(([path, methods]) => [path, mapValues(methods, withSuccessAlone)]),
  );
  const kept = { openapi: document.openapi, info: document.info, paths, ...(webhooks ? { webhooks: document.webhooks } : {}) };
  return { ...kept, components: { schemas: referredSchemas({ ...kept, extra: PROBLEM }, document.components.schemas as Json) } };
}

/** Every operation can answer it. */
const PROBLEM = { $ref: '#/components/schemas/Problem' };

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

function withSuccessAlone(operation: Operation): Json {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return { ...operation, responses: Object.fromEntries(successes.map(([status, { headers: _, ...response }]) => [status, response])) };
}

/** Returns the schemas that the value refers to, and those that these refer to. */
function referredSchemas(value: unknown, schemas: Json): Json {
  const found = new Map<string, unknown>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, member] of Object.entries(node)) {
      const name = key === '$ref' ? /^#\/components\/schemas\/(\w+)$/.exec(String(member))?.[1] : undefined;
      if (name === undefined) walk(member);
      else if (!found.has(name)) {
        found.set(name, schemas[name]);
        walk(schemas[name]);
      }
    }
  };
  walk(value);
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Identifies the document that a file of types was made from. */
export function fingerprint(document: Json): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}

export function readDocument(): ApiDocument {
  return JSON.parse(readFileSync(fileURLToPath(new URL('../../../shared/contract/openapi.json', import.meta.url)), 'utf8')) as ApiDocument;
}
