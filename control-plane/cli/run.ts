import type { Writable } from 'node:stream';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import type { Database } from '../db/database.js';
import type { LinkUrlForm } from '../links/link-row.js';
import type { ApiDefaults } from './api-client.js';
import type { Output } from './output.js';

/** What the commands work with. `database` connects when it is first asked for, so that `--help` needs none. */
export interface ProgramDependencies {
  readonly database: () => Database;
  readonly migrate: (log: (line: string) => void) => Promise<readonly string[]>;
  /** Names of the migrations that `migrate` would run. */
  readonly pendingMigrations: () => Promise<readonly string[]>;
  /** How short URLs are shown, by the settings of the control plane. */
  readonly linkUrlForm: () => LinkUrlForm;
  /** SECRETS_KEYS. */
  readonly secretKeys: () => SecretKeys;
  readonly nowMs: () => number;
  /** Server and key of the commands that work over the REST API. */
  readonly apiDefaults: () => ApiDefaults;
  /** SERVICE_NAME. */
  readonly serviceName: () => string;
  /** Aborts at Ctrl-C. Before it is first asked for, Ctrl-C ends the process at once. */
  readonly interrupted: () => AbortSignal;
  readonly standardInput: () => AsyncIterable<Uint8Array>;
  /** Where a command streams what may be large. */
  readonly standardOutput: () => Writable;
  /** Where progress is drawn; null if nobody watches. */
  readonly terminal: NodeJS.WriteStream | null;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

export type Action = (output: Output, dependencies: ProgramDependencies) => Promise<void>;

/** Runs a command's action with what it works with. */
export type Run = (action: Action) => Promise<void>;
