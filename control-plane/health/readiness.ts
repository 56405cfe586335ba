import type { PartHealth } from '../../shared/base/part-health.js';
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
  const listenerHealth = (): PartHealth => {
    const reason = phase.listening ? '' : `the server ${phase.draining ? 'is shutting down' : 'does not listen yet'}`;
    return { part: 'listener', ok: phase.listening, reason };
  };
  return async () => [
    listenerHealth(),
    await databaseHealth(background),
    await schemaHealth(),
    ...(await clickStore.health()),
    assigner.health(),
    ...[...jobs, keyUses].map((job) => job.health()),
  ];
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
