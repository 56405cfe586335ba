import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../../deploy/local/with-client.js';
import { BULK_LINKS_MAX } from '../../shared/base/limits.js';
import type { BulkResult } from '../../shared/contract/schemas/link-bulk.js';
import { drawSecretsKeys, startControlPlane, stopControlPlane, withProject } from '../load/rest-service.js';
import { startWholeEngine, type WholeEngine } from '../load/whole-engine.js';
import type { CostProcesses } from './click-costs.js';

/** The service as whole processes, with one project whose days are those of UTC. */
export interface CountingService {
  /** Address of the API, with its version. */
  readonly url: string;
  readonly secretKey: string;
  readonly databaseUrl: string;
  /** The environment of the links. */
  readonly environmentId: string;
  readonly engine: WholeEngine;
  readonly processes: CostProcesses;
  /** A connection for what the API does not reveal. */
  readonly client: pg.Client;
}

export function withCountingService<Result>(work: (service: CountingService) => Promise<Result>): Promise<Result> {
  return withProject(async ({ databaseUrl, environmentId, secretKey, postgresPid }) => {
    const secretsKeys = drawSecretsKeys();
    const dataDir = mkdtempSync(join(tmpdir(), 'bench-engine-'));
    const controlPlane = await startControlPlane(databaseUrl, [], secretsKeys);
    try {
      const engine = await startWholeEngine({ databaseUrl, dataDir, secretsKeys });
      try {
        const processes = { postgres: postgresPid, controlPlane: controlPlane.child.pid as number, engine: engine.pid };
        return await withClient(databaseUrl, (client) =>
          work({ url: controlPlane.url, secretKey, databaseUrl, environmentId, engine, processes, client }),
        );
      } finally {
        await engine.stop();
      }
    } finally {
      await stopControlPlane(controlPlane);
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
}

export interface CreatedLink {
  readonly id: string;
  readonly path: string;
}

/** Creates links by bulk calls, and waits until the engine has all of them. */
export async function createLinks({ url, secretKey, client }: CountingService, count: number): Promise<readonly CreatedLink[]> {
  const created: CreatedLink[] = [];
  while (created.length < count) {
    const links = Array.from({ length: Math.min(BULK_LINKS_MAX, count - created.length) }, (_, n) => ({
      destinations: { web: `https://destination.example/item/${created.length + n}` },
    }));
    const answer = await fetch(`${url}/links/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ links }),
    });
    if (!answer.ok) throw new Error(`the links were not made: ${answer.status} ${await answer.text()}`);
    const { results } = (await answer.json()) as BulkResult;
    for (const result of results) {
      if (!('link' in result)) throw new Error(`a link was not made: ${JSON.stringify(result)}`);
      created.push({ id: result.link.id, path: result.link.path });
    }
  }
  await untilReplicated(client);
  return created;
}

const REPLICATED_MS_MAX = 60_000;

/** Resolves when the engine has every change that was made. */
export async function untilReplicated(client: pg.Client): Promise<void> {
  const endsAt = performance.now() + REPLICATED_MS_MAX;
  const behind = `SELECT 1 FROM engines WHERE left_at IS NULL AND applied_position IS DISTINCT FROM (SELECT max(position) FROM config_feed)
    UNION ALL SELECT 1 FROM config_feed WHERE position IS NULL LIMIT 1`;
  while ((await client.query(behind)).rows.length > 0) {
    if (performance.now() > endsAt) throw new Error('the engine does not get the links');
    await setTimeout(100);
  }
}
