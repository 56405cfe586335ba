import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../deploy/local/postgres.js';

export interface TestServer {
  /** Of the server's first database, as superuser. */
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** Every test file takes connections of its own, some of them dozens. */
const CONNECTIONS_MAX = 400;

/** The server TEST_DATABASE_SERVER names, or a PostgreSQL in a temporary folder. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_SERVER;
  if (given) return { url: given, stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'test-server-'));
  chmodSync(folder, 0o711); // as root the server runs as another user, which must pass through
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const postgres = await startPostgres({
      dataDir: folder,
      reachableDir: folder,
      durable: false,
      connectionsMax: CONNECTIONS_MAX,
      progress: () => {},
      log: (line) => console.error(line),
    });
    return {
      url: postgres.superuserUrl('postgres'),
      async stop() {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
