/**
 * The API writes `created_at`, JavaScript `createdAt`. Both SDKs use the second form in what they accept and in what
 * they return. Objects whose names are the customer's own stay as they are.
 */

/** Members that contain such objects. A test compares the list with the OpenAPI document. */
export const OPAQUE_MEMBERS: ReadonlySet<string> = new Set(['data', 'geo', 'headers', 'inputs', 'params', 'properties']);

type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelName<Tail>>}` : Name;

/** The type with its members in camel case, at every depth. A record with unknown names stays as it is. */
export type Camel<Type> = Type extends readonly (infer Item)[]
  ? Camel<Item>[]
  : Type extends object
    ? string extends keyof Type
      ? Type
      : { [Name in keyof Type as Name extends string ? CamelName<Name> : Name]: Camel<Type[Name]> }
    : Type;

/** Returns an answer of the API in the form of the SDK. */
export function toCamel<Value>(value: Value): Camel<Value> {
  return renamed(value, camelName) as Camel<Value>;
}

function camelName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts a JSON Pointer into what the API received into one into what the SDK was given. */
export function camelPointer(pointer: string): string {
  const tokens = pointer.split('/');
  const opaqueAt = tokens.findIndex((token) => OPAQUE_MEMBERS.has(token));
  return tokens.map((token, at) => (opaqueAt === -1 || at <= opaqueAt ? camelName(token) : token)).join('/');
}

/** Returns what the SDK was given in the form that the API accepts. */
export function toSnake(value: unknown): unknown {
  return renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  // A Date, for example, is not an object with members.
  if (typeof value !== 'object' || value === null || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      // A page's `data` is a list of ours.
      const opaque = OPAQUE_MEMBERS.has(name) && !Array.isArray(member);
      return [rename(name), opaque ? member : renamed(member, rename)];
    }),
  );
}
