/** What of browsers and React Native the client SDK uses, all of which may be missing. */
export interface Surroundings {
  readonly navigator?: {
    readonly userAgent?: string;
    readonly language?: string;
    readonly maxTouchPoints?: number;
    readonly product?: string;
  };
  readonly screen?: { readonly width: number; readonly height: number };
  readonly devicePixelRatio?: number;
  readonly location?: { readonly search?: string };
  readonly localStorage?: Storage;
  readonly crypto?: { readonly getRandomValues?: (bytes: Uint8Array) => Uint8Array };
  readonly addEventListener?: (type: string, listener: () => void) => void;
}

/** Where the SDK keeps the id of the installation and what waits to be sent: `localStorage`, or React Native's AsyncStorage. */
export interface Storage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
}

export const surroundings = globalThis as Surroundings;

/** Keeps nothing: what is behind it does. */
const NO_STORAGE: Storage = { getItem: () => null, setItem: () => {} };

/** The storage, with memory behind it: one that is full, forbidden or broken must not keep the SDK from its work. */
export function storageWithMemory(storage: Storage): Storage {
  const memory = new Map<string, string>();
  /** Keys of which the storage has something older than memory, or nothing. */
  const unwritten = new Set<string>();
  return {
    async getItem(key) {
      const remembered = memory.get(key) ?? null;
      if (unwritten.has(key)) return remembered;
      try {
        return (await storage.getItem(key)) ?? remembered;
      } catch {
        return remembered;
      }
    },
    async setItem(key, value) {
      memory.set(key, value);
      try {
        await storage.setItem(key, value);
        unwritten.delete(key);
      } catch {
        // It lasts as long as the program does, then.
        unwritten.add(key);
      }
    },
  };
}

/** Reading the property alone throws in a browser that forbids storage to a page. */
export function defaultStorage(): Storage {
  try {
    return surroundings.localStorage ?? NO_STORAGE;
  } catch {
    return NO_STORAGE;
  }
}

/** Random bytes; of a lesser kind in an old React Native, where they name installations and events and guard nothing. */
function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  if (surroundings.crypto?.getRandomValues !== undefined) return surroundings.crypto.getRandomValues(bytes);
  return bytes.map(() => Math.random() * 256);
}

/** A version 4 UUID. `crypto.randomUUID` exists on https pages alone. */
export function randomUuid(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] as number) & 15) | 64;
  bytes[8] = ((bytes[8] as number) & 63) | 128;
  const hex = [...bytes].map((byte) => (byte + 256).toString(16).slice(1)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** `ins_` and a ULID, as all ids of the service are made. */
export function newInstallId(nowMs: number): string {
  let time = '';
  for (let left = nowMs; time.length < 10; left = Math.floor(left / 32)) time = CROCKFORD[left % 32] + time;
  return `ins_${time}${[...randomBytes(16)].map((byte) => CROCKFORD[byte & 31]).join('')}`;
}
