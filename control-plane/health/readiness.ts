import type { PartHealth } from '../../shared/base/part-health.js';
import { within } from '../../shared/base/within.js';
import type { ClickStore } from '../click-store/click-store.js';
import { type Database, DatabaseUnavailableError, reasonOf } from '../db/database.js';
import { createSchemaCheck } from '../db/schema-check.js';

/** The phase of the process; both members are false until it listens. */
export interface Phase {
  listening: boolean;
  draining: boolean;
}

interface ReadyParts {
  readonly background: Database;
  readonly clickStore: ClickStore;
  readonly assigner: Healthy;
  readonly jobs: readonly Healthy[];
  readonly keyUses: Healthy;
}

interface Healthy {
  health(): PartHealth;
}

/** Returns a function that checks for each part of the process whether it can do its work. */
export function createReadiness(
  { background, clickStore, assigner, jobs, keyUses }: ReadyParts,
  phase: Phase,
): () => Promise<PartHealth[]> {
  const schemaHealth = createSchemaCheck(background);
  const storeHealth = createStoreCheck(clickStore);
  const listenerHealth = (): PartHealth => {
    const reason = phase.listening ? '' : `the server ${phase.draining ? 'is shutting down' : 'does not listen yet'}`;
    return { part: 'listener', ok: phase.listening, reason };
  };
  return async () => [
    listenerHealth(),
    await databaseHealth(background),
    await schemaHealth(),
    ...(await storeHealth()),
    assigner.health(),
    ...[...jobs, keyUses].map((job) => job.health()),
  ];
}

/**
 * HAProxy waits a second for all parts (deploy/haproxy/control-planes.cfg). A store of clicks that hangs must not take that long: most
 * calls need no click, and every control plane would be taken for dead.
 */
const STORE_REPLIES_WITHIN_MS = 500;

const LATE_STORE: PartHealth = {
  part: 'clickhouse',
  ok: false,
  reason: `ClickHouse has not replied within ${STORE_REPLIES_WITHIN_MS} ms`,
};

/** Returns a function that checks the store of clicks. A check that is still running is not begun again. */
function createStoreCheck(clickStore: ClickStore): () => Promise<readonly PartHealth[]> {
  let running: Promise<readonly PartHealth[]> | null = null;
  return async () => {
    running ??= clickStore.health().finally(() => {
      running = null;
    });
    return (await within(STORE_REPLIES_WITHIN_MS, running)) ?? [LATE_STORE];
  };
}

async function databaseHealth(database: Database): Promise<PartHealth> {
  try {
    await database.query({ text: 'SELECT 1', values: [] });
    return { part: 'database', ok: true, reason: '' };
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    return { part: 'database', ok: false, reason: `PostgreSQL cannot be reached: ${reasonOf(error)}` };
  }
}
