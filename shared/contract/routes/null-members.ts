import { isObject } from '../../base/issue.js';
import type { Route } from './route.js';

/**
 * In the body of a POST or PUT, null for an optional member means the same as leaving it out, because many clients
 * write every field they know. In a PATCH null clears, so only fields that can be cleared accept it.
 */
export function takesNulls(route: Route): boolean {
  return route.method === 'POST' || route.method === 'PUT';
}

/** The parts of a JSON Schema that are read here. */
interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly items?: object;
}

function isOptional(schema: Schema, name: string): boolean {
  return schema.required?.includes(name) !== true;
}

/** A schema without a type accepts anything. */
function isNullable({ type }: Schema): boolean {
  return type === undefined || [type].flat().includes('null');
}

/** Returns the value without members that are null, are optional, and do not allow null. Returns the same object if there are none. */
export function withoutNulls(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : sameOr(value, (item) => withoutNulls(items, item));
  }
  const { properties } = schema;
  if (properties === undefined || !isObject(value)) return value;
  let kept: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? (properties[name] as Schema) : undefined;
    if (field === undefined) continue;
    const leftOut = member === null && isOptional(schema, name) && !isNullable(field);
    const changed = leftOut ? undefined : withoutNulls(field, member);
    if (!leftOut && changed === member) continue;
    kept ??= { ...value };
    if (leftOut) delete kept[name];
    else kept[name] = changed;
  }
  return kept ?? value;
}

/** Returns the body of a request to the route as `withoutNulls` leaves it, including items that are judged one by one. */
export function bodyWithoutNulls(route: Route, body: unknown): unknown {
  if (route.body === undefined || !takesNulls(route)) return body;
  const whole = withoutNulls(route.body, body);
  if (route.items === undefined || !isObject(whole)) return whole;
  const { member, schema } = route.items;
  const items = whole[member];
  if (!Array.isArray(items)) return whole;
  const kept = sameOr(items, (item) => withoutNulls(schema, item));
  return kept === items ? whole : { ...whole, [member]: kept };
}

function sameOr(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.every((item, at) => item === items[at]) ? items : changed;
}

/** Returns the schema for the OpenAPI document, in which optional members may be null. Returns the same object if it says so already. */
export function withNulls<Given extends Schema>(schema: Given): Given {
  const { properties, items } = schema;
  if (items !== undefined) {
    const written = withNulls(items);
    return written === items ? schema : { ...schema, items: written };
  }
  if (properties === undefined) return schema;
  const written = Object.entries(properties).map(([name, field]) => {
    const inner = withNulls(field as Schema);
    return [name, isOptional(schema, name) ? orNull(inner) : inner] as const;
  });
  if (written.every(([name, field]) => field === properties[name])) return schema;
  return { ...schema, properties: Object.fromEntries(written) };
}

function orNull(schema: Schema): Schema {
  if (isNullable(schema)) return schema;
  return { ...schema, type: [schema.type, 'null'].flat(), ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }) };
}
