import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { withClient } from '../../deploy/local/with-client.js';
import { SettingError } from '../../shared/base/settings.js';
import { BROWSER_HEADERS, type Contender, type RunningServer } from './contender.js';
import { BENCH_HOST, destinationOf, pathOf } from './links.js';
import { endProcess, spawnPinned, untilItListens } from './pinned-process.js';
import { createBenchDatabase, startBenchPostgres } from './rest-service.js';
import { BOT_HEADERS, freePort } from './servers.js';

/**
 * More links are of no use: each visit is a statement for PostgreSQL, which finds one of a hundred thousand as it finds
 * one of a million.
 */
const LINKS_MAX = 100_000;

const LINKS_AT_ONCE = 10_000;

/**
 * Kutt (https://github.com/thedevs-network/kutt), a link service in Node.js on PostgreSQL: from a checkout with its
 * modules installed, on a PostgreSQL of its own that runs on the other core. Only its process is counted, and not what
 * PostgreSQL does for it. It records a visit after its answer, unless a program visits.
 */
export function kuttContenders(checkout: string, links: number): readonly Contender[] {
  if (!existsSync(join(checkout, 'server', 'server.js')) || !existsSync(join(checkout, 'node_modules')))
    throw new SettingError('--kutt: expected a checkout of Kutt 3 in which "npm install" was run');
  const start = (core: number | null) => startKutt(checkout, core, Math.min(links, LINKS_MAX));
  const paths = Array.from({ length: LINKS_MAX }, () => `/${pathOf(Math.floor(Math.random() * Math.min(links, LINKS_MAX)))}`);
  return [
    { key: 'kutt', name: 'Kutt', headers: { ...BROWSER_HEADERS, host: BENCH_HOST }, paths, start },
    { key: 'kutt-bots', name: 'Kutt, visits of programs, which it does not count', headers: BOT_HEADERS, paths, start },
  ];
}

async function startKutt(checkout: string, core: number | null, links: number): Promise<RunningServer> {
  const { postgres, end } = await startBenchPostgres();
  try {
    const url = await createBenchDatabase(postgres, 'kutt');
    const port = await freePort();
    const env = environmentOf(url, port);
    execFileSync(process.execPath, [join('node_modules', 'knex', 'bin', 'cli.js'), 'migrate:latest'], {
      cwd: checkout,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await withClient(url, (client) => fill(client, links));
    const child = spawnPinned(core, [process.execPath, 'server/server.js', '--production'], {
      cwd: checkout,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const stop = async (): Promise<void> => {
      await endProcess(child);
      await end();
    };
    await untilItListens(child, port).catch(async (error: unknown) => {
      await endProcess(child);
      throw error;
    });
    return { pids: [child.pid as number], port, invalid: () => null, stop };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The environment that its README gives for production, without Redis, which it does not use by default. */
function environmentOf(databaseUrl: string, port: number): NodeJS.ProcessEnv {
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  return {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DEFAULT_DOMAIN: BENCH_HOST,
    JWT_SECRET: 'a secret of the bench',
    DB_CLIENT: 'pg',
    DB_HOST: hostname,
    DB_PORT: databasePort,
    DB_NAME: pathname.slice(1),
    DB_USER: decodeURIComponent(username),
    DB_PASSWORD: decodeURIComponent(password),
  };
}

/** Kutt does not count visits of links that belong to nobody, so the links get a user. */
async function fill(client: pg.Client, links: number): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO users (email, password, verified) VALUES ('bench@bench.example', '', true) RETURNING id`,
  );
  for (let from = 0; from < links; from += LINKS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(LINKS_AT_ONCE, links - from) }, (_, index) => from + index);
    await client.query('INSERT INTO links (address, target, user_id) SELECT *, $3::integer FROM unnest($1::text[], $2::text[])', [
      numbers.map(pathOf),
      numbers.map(destinationOf),
      rows[0]?.id,
    ]);
  }
  await client.query('ANALYZE links');
}
