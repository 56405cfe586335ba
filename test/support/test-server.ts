import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../deploy/local/postgres.js';

export interface TestServer {
  /** The URL of the server's first database, as superuser. */
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** Every test file opens connections of its own, some of them dozens. */
const CONNECTIONS_MAX = 400;

/** A folder in memory, on Linux (`man 7 shm_overview`). */
const MEMORY = '/dev/shm';
/** The databases of a run take 1 GB at most in total; the rest is for everybody else. */
const MEMORY_FREE_BYTES_MIN = 4_000_000_000;

/**
 * Returns where databases of tests are: in memory if there is room. Each test file copies a database of a thousand
 * files and drops it again, and ext4 creates a new file by looking at every inode that was freed within the last
 * seconds, which takes a tenth of the CPU time of a run.
 */
function folderOfDatabases(): string {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= MEMORY_FREE_BYTES_MIN ? MEMORY : tmpdir();
}

/** Starts the server: the one that TEST_DATABASE_SERVER names, or a PostgreSQL in a temporary folder. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_SERVER;
  if (given) return { url: given, stop: async () => {} };
  const folder = mkdtempSync(join(folderOfDatabases(), 'test-server-'));
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
