import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Passwords hashed with scrypt (RFC 7914), in the form `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, the last two in base64url.
 * N = 2^15 and r = 8 take 32 MB and some 60 ms of a core. They are one of the sets of parameters that OWASP's Password
 * Storage Cheat Sheet names, chosen for the little memory that one try may take on a link host.
 */
const LOG2_N = 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface Cost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** Runs in a thread of libuv, so that the event loop is not blocked. */
function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, { log2N: LOG2_N, r: BLOCK_SIZE, p: PARALLELIZATION });
  return ['scrypt', LOG2_N, BLOCK_SIZE, PARALLELIZATION, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether it is the password of the hash, which `hashPassword` has returned. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, log2N, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64url');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), cost), expected);
}
