import { newIdempotencyKey } from '../api/idempotency-key.js';

/** Idempotency keys of writes that have not succeeded, or whose response was lost. The same write uses the same key when it is retried. */
const keys = new Map<string, string>();
/** Far more than a user has forms open. */
const KEYS_MAX = 100;

const nameOf = (endpoint: string, input: unknown) => `${endpoint} ${JSON.stringify(input)}`;

/** The key of a write, which is the same until the write has succeeded. If there are too many, the oldest is dropped. */
export function keyOfWrite(endpoint: string, input: unknown): string {
  const write = nameOf(endpoint, input);
  const known = keys.get(write);
  if (known !== undefined) return known;
  const [oldest] = keys.keys();
  if (keys.size >= KEYS_MAX && oldest !== undefined) keys.delete(oldest);
  const key = newIdempotencyKey();
  keys.set(write, key);
  return key;
}

export function dropKeyOfWrite(endpoint: string, input: unknown): void {
  keys.delete(nameOf(endpoint, input));
}

/** Drops all keys, because they are kept by what the user has typed, which may include passwords. */
export function dropAllKeysOfWrites(): void {
  keys.clear();
}
