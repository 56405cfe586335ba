import { createCipheriv } from 'node:crypto';
import type { OsVersion } from './os-version.js';

/** Systems on which an app can be installed through a link. */
const APP_PLATFORMS = ['ios', 'android'] as const;
export type AppPlatform = (typeof APP_PLATFORMS)[number];

export function isAppPlatform(text: string): text is AppPlatform {
  return (APP_PLATFORMS as readonly string[]).includes(text);
}

const BLOCK_BYTES = 16;
const KEY_BYTES = 8;

/** What a click and an open must have in common besides environment and network: the last 12 bytes of the second block. */
export function matchFacts(platform: AppPlatform, { major, minor }: OsVersion): Buffer {
  const facts = Buffer.alloc(BLOCK_BYTES - 4);
  facts.writeUInt8(1 + APP_PLATFORMS.indexOf(platform), 0);
  facts.writeUInt16BE(major, 1);
  facts.writeUInt16BE(minor, 3);
  return facts;
}

/**
 * Replaces `matchFacts` for a click whose version is not known. Its page may report the version later. No open has
 * these facts, so the click fits none before that.
 */
export function undecidedFacts(platform: AppPlatform): Buffer {
  const facts = matchFacts(platform, { major: 0, minor: 0 });
  facts.writeUInt8(1, 5);
  return facts;
}

/** Where and on which system an app was opened. */
export interface MatchSubject {
  readonly environmentNumber: number;
  /** The 16 bytes of `networkOf`. */
  readonly network: Uint8Array;
  readonly facts: Uint8Array;
}

/**
 * One number for everything that must be equal in a probabilistic match, so that candidates are one short range of one
 * index: the first 8 bytes of AES(key, AES(key, network) xor second), where `second` is the environment number (4
 * bytes, big-endian) and the facts. This is CBC-MAC of two blocks under the day's address key, which is generated for a
 * day (UTC) and destroyed when the attribution window has passed. Without it the number means nothing. The engine makes
 * the numbers of clicks by the thousand (engine/shipping/rows/match-keys.ts), the control plane that of an open. Two
 * that differ collide once in 2^64.
 */
export function matchKey(key: Uint8Array, { environmentNumber, network, facts }: MatchSubject): bigint {
  const encrypt = (block: Uint8Array) => createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
  const block = encrypt(network);
  const second = Buffer.concat([Buffer.alloc(4), facts]);
  second.writeUInt32BE(environmentNumber, 0);
  for (let index = 0; index < BLOCK_BYTES; index++) block[index] = (block[index] as number) ^ (second[index] as number);
  return encrypt(block).subarray(0, KEY_BYTES).readBigInt64BE();
}
