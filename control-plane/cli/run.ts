import type { Writable } from 'node:stream';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import type { ClickStore } from '../click-store/click-store.js';
import type { Database } from '../db/database.js';
import type { SchemaDifference } from '../db/migrate.js';
import type { ApiDefaults } from './api-client.js';
import type { Demo } from './demo-project.js';
import type { Examine } from './finding.js';
import type { Output } from './output.js';
import type { ShipSpool } from './shipped-spool.js';

/** What the commands use. `database` connects when it is first called, so that `--help` needs no database. */
export interface ProgramDependencies {
  /** The version of the service. */
  readonly version: string;
  readonly database: () => Database;
  /** The store that CLICK_STORE selects. */
  readonly clickStore: () => ClickStore;
  /** CLICK_RETENTION_DAYS. */
  readonly clickRetentionDays: () => number;
  readonly migrate: (log: (line: string) => void) => Promise<readonly string[]>;
  /** Compares the schema of the database with the one of this build. */
  readonly schemaDifference: () => Promise<SchemaDifference>;
  /** The scheme and port of short URLs, from the settings of the control plane. */
  readonly linkUrlForm: () => LinkUrlForm;
  /** SECRETS_KEYS. */
  readonly secretKeys: () => SecretKeys;
  readonly nowMs: () => number;
  readonly examine: Examine;
  readonly demo: Demo;
  readonly shipSpool: ShipSpool;
  /** Server and key of the commands that work over the REST API. */
  readonly apiDefaults: () => ApiDefaults;
  /** SERVICE_NAME. */
  readonly serviceName: () => string;
  /** Aborts at Ctrl-C. Until it is first read, Ctrl-C ends the process immediately. */
  readonly interrupted: () => AbortSignal;
  readonly standardInput: () => AsyncIterable<Uint8Array>;
  /** The stream for output that may be large. */
  readonly standardOutput: () => Writable;
  /** The terminal on which progress is shown; null if there is none. */
  readonly terminal: NodeJS.WriteStream | null;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

export type Action = (output: Output, dependencies: ProgramDependencies) => Promise<void>;

/** Runs a command's action with its output and dependencies. */
export type Run = (action: Action) => Promise<void>;
