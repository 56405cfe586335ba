import Type from 'typebox';
import { PAGE_DEFAULT, PAGE_MAX } from '../../base/limits.js';

/** Building blocks of the schemas. They use `type: [.., 'null']` rather than `anyOf`, so that one wrong value is one error. */

type Simple = Type.TSchema & { type: string };

/** Returns the same schema with null allowed. */
export function nullable<Schema extends Simple>(schema: Schema): Type.TUnsafe<Type.Static<Schema> | null> {
  const values = (schema as { enum?: unknown[] }).enum;
  return Type.Unsafe<Type.Static<Schema> | null>({
    ...schema,
    type: [schema.type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
}

export function text(description: string, options: Type.TStringOptions = {}): Type.TString {
  return Type.String({ ...options, description });
}

/** Text that is stored: control characters and halves of surrogate pairs are refused (format `plain-text`). */
export function plainText(description: string, minLength: number, maxLength: number): Type.TString {
  return Type.String({ format: 'plain-text', minLength, maxLength, description });
}

/** The same, over several lines. */
export function plainLines(description: string, minLength: number, maxLength: number): Type.TString {
  return Type.String({ format: 'plain-lines', minLength, maxLength, description });
}

export type TChoice<Value extends string> = Type.TUnsafe<Value> & { type: 'string'; enum: readonly Value[] };

export function oneOf<const Value extends string>(values: readonly Value[], description: string): TChoice<Value> {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], description }) as TChoice<Value>;
}

export function timestamp(description: string): Type.TString {
  return Type.String({ format: 'date-time', description });
}

export function id(prefix: string, description: string): Type.TString {
  return Type.String({ description, examples: [`${prefix}01jd4v6xq8e5s0m3k7n9p2r4tw`] });
}

export const environmentName = oneOf(['test', 'live'], 'Environment the object belongs to');

/** The number of some objects. */
export function count(description: string): Type.TInteger {
  return Type.Integer({ minimum: 0, description });
}

/** An object of a request: unknown members are refused. */
export function closedObject<Members extends Type.TProperties>(members: Members, options: Type.TObjectOptions = {}): Type.TObject<Members> {
  return Type.Object(members, { additionalProperties: false, ...options });
}

/** Returns an object with a member for each name. */
export function membersOf<Name extends string, Schema>(names: readonly Name[], schemaOf: (name: Name) => Schema): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<Name, Schema>;
}

/** Query fields of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Maximum number of rows per page' }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: '`next_cursor` of the previous page' })),
};

/** A page of a list, newest first. */
export function page<Schema extends Type.TSchema>(item: Schema, description: string) {
  return Type.Object(
    {
      data: Type.Array(item, { description: 'The objects of the page' }),
      next_cursor: nullable(text('Pass it as `cursor` for the next page; null on the last one')),
    },
    { description },
  );
}
