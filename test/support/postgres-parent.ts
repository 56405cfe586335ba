import { startPostgres } from '../../deploy/local/postgres.js';

/** A process for tests to kill: starts PostgreSQL on the given folder, reports where it is, and stops it on SIGTERM. */
const dataDir = process.argv[2] as string;
const postgres = await startPostgres({
  dataDir,
  reachableDir: `${dataDir}-reachable`,
  durable: true,
  connectionsMax: 20,
  progress: () => {},
  log: (line) => console.error(line),
});
process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
console.log(JSON.stringify({ url: postgres.url(), pid: postgres.stats().pid }));
setInterval(() => {}, 1000);
