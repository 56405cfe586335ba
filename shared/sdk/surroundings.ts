/** The parts of browsers and React Native that the client SDK uses. All of them may be missing. */
export interface Surroundings {
  readonly navigator?: {
    readonly userAgent?: string;
    readonly language?: string;
    readonly maxTouchPoints?: number;
    readonly product?: string;
    readonly onLine?: boolean;
    readonly locks?: { readonly request: (name: string, work: () => Promise<void>) => Promise<unknown> };
  };
  readonly screen?: { readonly width: number; readonly height: number };
  readonly devicePixelRatio?: number;
  readonly location?: { readonly search?: string };
  readonly localStorage?: Storage;
  readonly crypto?: { readonly getRandomValues?: (bytes: Uint8Array) => Uint8Array };
  readonly addEventListener?: (type: string, listener: () => void) => void;
}

/** Storage for the id of the installation and for what waits to be sent: `localStorage`, or React Native's AsyncStorage. */
export interface Storage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
}

export const surroundings = globalThis as Surroundings;

/** Stores nothing itself; the memory behind it does. Each client has its own, because on a server they belong to different visitors. */
const noStorage = (): Storage => ({ getItem: () => null, setItem: () => {} });

/** A storage that takes longer counts as broken: a call of the app must not wait for it without end. */
const STORAGE_MS_MAX = 5_000;

async function inTime<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the storage does not respond')), STORAGE_MS_MAX);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The storage, with memory behind it. A storage that is full, forbidden or broken must not keep the SDK from working, and
 * what it cannot read at the moment must not be lost.
 */
export function storageWithMemory(storage: Storage): Storage {
  const memory = new Map<string, string>();
  /** Keys for which the storage has an older value than memory, or none. */
  const unwritten = new Set<string>();
  /** Keys under which something may be stored that could not be read. Only memory is used for them, so that it stays for the next start. */
  const unread = new Set<string>();
  /** Writes what memory has. What cannot be written lasts only as long as the program does, unless a later attempt succeeds. */
  async function write(key: string): Promise<boolean> {
    const value = memory.get(key) as string;
    try {
      await inTime(() => storage.setItem(key, value));
      if (memory.get(key) === value) unwritten.delete(key);
      return true;
    } catch {
      unwritten.add(key);
      return false;
    }
  }
  return {
    async getItem(key) {
      if (unwritten.has(key)) await write(key);
      const remembered = memory.get(key) ?? null;
      if (unwritten.has(key) || unread.has(key)) return remembered;
      try {
        const stored = await inTime(() => storage.getItem(key));
        if (stored !== null && (memory.get(key) ?? null) === remembered) memory.set(key, stored);
        return stored ?? remembered;
      } catch {
        if (!memory.has(key)) unread.add(key);
        return remembered;
      }
    },
    async setItem(key, value) {
      memory.set(key, value);
      if (unread.has(key)) return;
      // There is room again, so it may be enough for the others too.
      if (await write(key)) for (const other of [...unwritten]) await write(other);
    },
  };
}

/** Returns the default storage. In a browser that forbids storage to a page, reading the property alone throws. */
export function defaultStorage(): Storage {
  try {
    return surroundings.localStorage ?? noStorage();
  } catch {
    return noStorage();
  }
}

/** Returns random bytes. In an old React Native they are weaker, but there they only name installations and events and protect nothing. */
function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  if (surroundings.crypto?.getRandomValues !== undefined) return surroundings.crypto.getRandomValues(bytes);
  return bytes.map(() => Math.random() * 256);
}

/** A version 4 UUID. `crypto.randomUUID` exists only on https pages. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] as number) & 15) | 64;
  bytes[8] = ((bytes[8] as number) & 63) | 128;
  const hex = [...bytes].map((byte) => (byte + 256).toString(16).slice(1)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns `ins_` and a ULID, in the form of all ids of the service. */
export function newInstallId(nowMs: number): string {
  let time = '';
  for (let left = nowMs; time.length < 10; left = Math.floor(left / 32)) time = CROCKFORD[left % 32] + time;
  return `ins_${time}${[...randomBytes(16)].map((byte) => CROCKFORD[byte & 31]).join('')}`;
}
