import { join } from 'node:path';
import type { EnvironmentName } from '../../shared/records/records.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';

export interface EnvironmentCredentials {
  readonly secret_key: string;
  readonly publishable_key: string;
  /** `http://test.localhost:8080` */
  readonly link_origin: string;
}

/** The contents of DATA_DIR/credentials.json. */
export interface Credentials {
  /** `http://localhost:3000/v1` */
  readonly base_url: string;
  readonly dashboard_url: string;
  readonly test: EnvironmentCredentials;
  readonly live: EnvironmentCredentials;
}

export function credentialsFile(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}

export type Keys = Pick<EnvironmentCredentials, 'secret_key' | 'publishable_key'>;

function keysOf(value: unknown): Keys | null {
  const { secret_key, publishable_key } = (value ?? {}) as Partial<Record<keyof Keys, unknown>>;
  return typeof secret_key === 'string' && typeof publishable_key === 'string' ? { secret_key, publishable_key } : null;
}

/** The keys that an earlier start has written; null for an environment whose keys are lost or unreadable. */
export function readKeys(dataDir: string): Record<EnvironmentName, Keys | null> {
  const text = readPrivateFile(credentialsFile(dataDir));
  if (text === null) return { test: null, live: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Somebody edited the file into something else. Its keys count as lost, and the start says so.
    return { test: null, live: null };
  }
  const { test, live } = (value ?? {}) as { test?: unknown; live?: unknown };
  return { test: keysOf(test), live: keysOf(live) };
}

export function writeCredentials(dataDir: string, credentials: Credentials): void {
  writePrivateFile(credentialsFile(dataDir), JSON.stringify(credentials, null, 2));
}
