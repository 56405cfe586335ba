import type { Static, TSchema } from 'typebox';
import type { OperationId, Routes } from '../../../shared/contract/routes.js';

/** The route table as types. The input and output of a call follow from its row, and no part of the table is shipped to the browser. */

type RowOf<Id extends OperationId> = Routes[Id];

/** Method and path of a row, below the version prefix: `GET /links/{link}`. */
export type Endpoint = { [Id in OperationId]: `${RowOf<Id>['method']} ${RowOf<Id>['path']}` }[OperationId];
export type ReadEndpoint = Extract<Endpoint, `GET ${string}`>;
export type WriteEndpoint = Exclude<Endpoint, ReadEndpoint>;

type IdOf<E extends Endpoint> = {
  [Id in OperationId]: E extends `${RowOf<Id>['method']} ${RowOf<Id>['path']}` ? Id : never;
}[OperationId];

type Part<E extends Endpoint, Name extends 'params' | 'query' | 'body'> = Routes[IdOf<E>] extends {
  readonly [Key in Name]: infer Schema extends TSchema;
}
  ? Static<Schema>
  : never;

type Member<Name extends string, Value> = [Value] extends [never]
  ? { readonly [Key in Name]?: never }
  : Record<string, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** The parameters and the body of a call. */
export type Input<E extends Endpoint> = Member<'params', Part<E, 'params'>> &
  Member<'query', Part<E, 'query'>> &
  Member<'body', Part<E, 'body'>>;

export type Output<E extends Endpoint> = Routes[IdOf<E>]['response'] extends { readonly schema: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;

/** Endpoints that return a page of rows. */
export type ListEndpoint = { [E in ReadEndpoint]: Output<E> extends { next_cursor: string | null } ? E : never }[ReadEndpoint];
export type RowIn<E extends ListEndpoint> = Output<E> extends { data: (infer Row)[] } ? Row : never;
