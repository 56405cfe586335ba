import { clear, createStore, delMany, get, getMany, keys, set, type UseStore } from 'idb-keyval';

/**
 * Imports that are under way, kept by the browser beyond a reload: the file, how far it has come, and what became of its rows. A
 * browser that keeps nothing lets an import work on; it begins again after a reload then, and makes no link twice.
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

/** The import of the environment; undefined if there is none. */
export function readKeptImport<State>(environmentId: string): Promise<State | undefined> {
  return orNothing(() => get<State>(environmentId, opened()));
}

export async function keepImport(environmentId: string, state: object): Promise<void> {
  await orNothing(() => set(environmentId, state, opened()));
}

/** What became of the rows from this one on. */
export async function keepPart(environmentId: string, from: number, part: readonly object[]): Promise<void> {
  await orNothing(() => set([environmentId, PARTS, from], part, opened()));
}

async function partKeys(environmentId: string): Promise<IDBValidKey[]> {
  const all = await keys(opened());
  return all.filter((key) => Array.isArray(key) && key[0] === environmentId);
}

/** Every part, in the order of the rows: keys of IndexedDB are sorted. */
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

/** Forgets every import, so that the next person to sign in does not find them. */
export function dropAllImports(): void {
  void orNothing(() => clear(opened()));
}
