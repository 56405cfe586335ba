import type { ApiDocument, ApiSchema } from './document.js';

/** One row of a table of fields. */
export interface Field {
  /** Path from the root: `destinations.ios`, `data[].id`. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

type Schemas = ApiDocument['components']['schemas'];

/** Deeper objects are named by their type alone. */
const DEPTH_MAX = 4;

/** Every field below the schema, depth first, in the document's order. */
export function fieldsOf(schema: ApiSchema, schemas: Schemas): readonly Field[] {
  return membersOf(schema, schemas, '', 0);
}

function membersOf(schema: ApiSchema, schemas: Schemas, prefix: string, depth: number): Field[] {
  const whole = resolve(schema, schemas);
  const item = whole.items === undefined ? null : resolve(whole.items, schemas);
  if (item !== null) return depth < DEPTH_MAX ? membersOf(item, schemas, `${prefix}[]`, depth) : [];
  const properties = Object.entries(whole.properties ?? {});
  const alternatives = (whole.anyOf ?? []).flatMap((one) => membersOf(one, schemas, prefix, depth));
  const known = new Set<string>();
  const own = properties.flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const row = rowOf(path, property, schemas, (whole.required ?? []).includes(name));
    return [row, ...(depth < DEPTH_MAX ? membersOf(property, schemas, path, depth + 1) : [])];
  });
  return [...own, ...alternatives].filter(({ path }) => !known.has(path) && known.add(path));
}

function rowOf(path: string, schema: ApiSchema, schemas: Schemas, required: boolean): Field {
  const whole = resolve(schema, schemas);
  const described = schema.description ?? whole.description ?? nonNull(whole)[0]?.description ?? '';
  return { path, type: typeOf(schema, schemas), required, description: [described, boundsOf(whole)].filter(Boolean).join('. ') };
}

function resolve(schema: ApiSchema, schemas: Schemas): ApiSchema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.slice('#/components/schemas/'.length);
  return schemas[name] ?? {};
}

function nonNull(schema: ApiSchema): readonly ApiSchema[] {
  return (schema.anyOf ?? []).filter((one) => one.type !== 'null');
}

/** The type in words: `string or null`, `array of object`, `"test" or "live"`. */
export function typeOf(schema: ApiSchema, schemas: Schemas): string {
  const whole = resolve(schema, schemas);
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (whole.enum !== undefined) return whole.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (whole.anyOf !== undefined) return [...new Set(whole.anyOf.map((one) => typeOf(one, schemas)))].join(' or ');
  if (whole.items !== undefined) return `array of ${typeOf(whole.items, schemas)}`;
  return [whole.type ?? 'any'].flat().join(' or ');
}

/** What the numbers of the schema allow. */
function boundsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, default: value }: ApiSchema): string {
  return [
    range('characters', minLength, maxLength),
    range('', minimum, maximum),
    range('items', minItems, maxItems),
    value === undefined ? '' : `Default ${JSON.stringify(value)}`,
  ]
    .filter(Boolean)
    .join('. ');
}

function range(unit: string, least: number | undefined, most: number | undefined): string {
  const words = unit === '' ? '' : ` ${unit}`;
  if (most === undefined) return least === undefined || least <= 1 ? '' : `At least ${least}${words}`;
  return least === undefined || least === 0 ? `At most ${most}${words}` : `${least} to ${most}${words}`;
}
