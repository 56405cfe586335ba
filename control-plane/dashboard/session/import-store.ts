import { clear, createStore, delMany, get, getMany, keys, set, type UseStore } from 'idb-keyval';

/**
 * Imports in progress, which the browser keeps across reloads: the file, how far the import has come, and the result of each row. If the
 * browser stores nothing, imports still work. After a reload they begin again, and create no link twice.
 */
let store: UseStore | undefined;

function opened(): UseStore {
  store ??= createStore('link-service-imports', 'imports');
  return store;
}

async function orNothing<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

const PARTS = 'rows';

/** The import of the environment; undefined if none is stored. */
export function readKeptImport<State>(environmentId: string): Promise<State | undefined> {
  return orNothing(() => get<State>(environmentId, opened()));
}

export async function keepImport(environmentId: string, state: object): Promise<void> {
  await orNothing(() => set(environmentId, state, opened()));
}

/** Stores the results of the rows from `from` on. */
export async function keepPart(environmentId: string, from: number, part: readonly object[]): Promise<void> {
  await orNothing(() => set([environmentId, PARTS, from], part, opened()));
}

async function partKeys(environmentId: string): Promise<IDBValidKey[]> {
  const all = await keys(opened());
  return all.filter((key) => Array.isArray(key) && key[0] === environmentId);
}

/** All parts, in the order of the rows, because IndexedDB sorts its keys. */
export async function readParts<Row>(environmentId: string): Promise<readonly Row[]> {
  const parts = await orNothing(async () => getMany<readonly Row[]>(await partKeys(environmentId), opened()));
  return (parts ?? []).flatMap((part) => part ?? []);
}

export async function dropParts(environmentId: string): Promise<void> {
  await orNothing(async () => delMany(await partKeys(environmentId), opened()));
}

export async function dropImport(environmentId: string): Promise<void> {
  await orNothing(async () => delMany([environmentId, ...(await partKeys(environmentId))], opened()));
}

/** Deletes every import, so that the next person who signs in does not see them. */
export function dropAllImports(): void {
  void orNothing(() => clear(opened()));
}
