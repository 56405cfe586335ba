import type { Test } from 'tap';
import { startEngine } from '../support/engine.js';
import { Ledger } from '../support/ledger.js';
import { copyRelease, raiseVersions } from '../support/release.js';
import { createCountedLink, type OwnPostgres, type Stack, startOwnPostgres, startStack, untilReplicated } from '../support/stack.js';
import { until } from '../support/until.js';
import { COMPILED_ROOT } from '../support/whole-process.js';
import { checkCounts, load, sleep } from './scenarios.js';

/** Longer than the first connection attempts of an engine that starts without a database. */
const AWAY_MS = 3_000;
const VISITS_MS_MAX = 300_000;

/**
 * Releases with the same formats and with others replace each other, while PostgreSQL runs and while it is away. A release that
 * cannot read the copy of the running one leaves it in place until the database is back.
 */
export async function changesOfRelease(t: Test, visits: number): Promise<void> {
  const visited = await startVisits(t, 0);
  const { stack, postgres, newer } = visited;
  await visited.reach(visits / 5);
  await replaceEngine(t, stack, newer);
  await visited.reach((visits * 2) / 5);
  await replaceEngine(t, stack);
  await visited.reach((visits * 3) / 5);
  await postgres.stop();
  await replaceEngine(t, stack);
  t.pass('a release with the same formats takes over without the database');
  await visited.reach((visits * 4) / 5);
  await postgres.start();
  await upWhileAway(t, visited);
  await replaceEngine(t, stack);
  await visited.reach(visits);
  await visited.check();
}

/** An upgrade that begins while PostgreSQL is away and takes place when it is back, and a downgrade. */
export async function changeWhilePostgresIsAway(t: Test): Promise<void> {
  const visited = await startVisits(t, 1);
  await upWhileAway(t, visited);
  await replaceEngine(t, visited.stack);
  await visited.check();
}

async function upWhileAway(t: Test, { stack, postgres, newer }: Visited): Promise<void> {
  await postgres.stop();
  let replaced = false;
  const replacement = replaceEngine(t, stack, newer).then(() => {
    replaced = true;
  });
  await sleep(AWAY_MS);
  t.notOk(replaced, 'a release with other formats waits for the database');
  await postgres.start();
  await replacement;
}

interface Visited {
  readonly stack: Stack;
  readonly postgres: OwnPostgres;
  /** The root of a release with other formats. */
  readonly newer: string;
  /** Resolves when that many visits have been answered. */
  reach(visits: number): Promise<void>;
  /** Ends the visits, and compares each with the click log. */
  check(): Promise<void>;
}

async function startVisits(t: Test, restMs: number): Promise<Visited> {
  const newer = await copyRelease(t.testdir());
  raiseVersions(newer);
  const postgres = await startOwnPostgres(t);
  const stack = await startStack(t, { databaseUrl: postgres.url });
  const link = await createCountedLink(stack);
  await untilReplicated(stack);
  const ledger = new Ledger();
  const clients = [load(stack, link, { ledger, restMs }), load(stack, link, { ledger, connections: 4, newConnections: true, restMs })];
  return {
    stack,
    postgres,
    newer,
    async reach(visits) {
      await until(() => ledger.answered >= visits, `visit ${visits}`, VISITS_MS_MAX);
    },
    async check() {
      await Promise.all(clients.map((client) => client.stop()));
      t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no request failed');
      await checkCounts(t, stack, ledger);
    },
  };
}

/** Starts another engine of the release at `root` beside the stack's, which ends when the new one serves. */
export async function replaceEngine(t: Test, stack: Stack, root = COMPILED_ROOT): Promise<void> {
  const before = stack.engine;
  const { port, adminPort } = before;
  const environment = { ...stack.engineOptions.environment, ENGINE_PORT: String(port), ENGINE_ADMIN_PORT: String(adminPort) };
  stack.engine = await startEngine({ ...stack.engineOptions, environment, parameters: ['--take-over'], root });
  t.match(await before.ended(), { code: 0, signal: null }, 'the replaced engine ended with code 0');
}

/** Replaces the files of the running engine's release with those of another one, and then has the engine restart its processes. */
export async function replacedFiles(t: Test): Promise<void> {
  const root = await copyRelease(t.testdir());
  const stack = await startStack(t, { root });
  const link = await createCountedLink(stack);
  const ledger = new Ledger();
  const clients = [load(stack, link, { ledger }), load(stack, link, { ledger, connections: 4, newConnections: true })];
  const before = await stack.engine.pids();
  raiseVersions(root);
  stack.engine.child.kill('SIGUSR2');
  await until(() => stack.engine.output().includes('rolling restart stopped'), 'the end of the rolling restart');
  t.same(await stack.engine.pids(), before, 'the processes that served are still running');
  await Promise.all(clients.map((client) => client.stop()));
  t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no request failed');
  await checkCounts(t, stack, ledger);
}
