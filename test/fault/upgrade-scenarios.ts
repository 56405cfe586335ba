import type { Test } from 'tap';
import { migrate } from '../../control-plane/db/migrate.js';
import { startControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { buildLastRelease } from '../support/last-release.js';
import { Ledger } from '../support/ledger.js';
import {
  type CreatedLink,
  createCountedLink,
  type Stack,
  startOwnPostgres,
  startStack,
  untilReplicated,
  waitForClicks,
} from '../support/stack.js';
import { createVisitor } from '../support/visitor.js';
import { COMPILED_ROOT } from '../support/whole-process.js';
import { replaceEngine } from './release-scenarios.js';
import { load, sleep } from './scenarios.js';

/** How long each state of the change is held under load. */
const STEP_MS = 5_000;
const CALL_REST_MS = 50;

/**
 * deploy/upgrade.md, step by step, on one host: the schema, the control planes, the engine, and back without the schema.
 * All the time visitors follow one link, and a customer makes others at every control plane there is, and follows them.
 */
export async function upAndDownAgain(t: Test, name: string): Promise<void> {
  const older = await buildLastRelease(t, name);
  const postgres = await startOwnPostgres(t, older.migrate);
  const project = await older.makeProject(postgres.url);
  const stack = await startStack(t, { databaseUrl: postgres.url, root: older.root, controlPlaneRoot: older.root, project });
  const link = await createCountedLink(stack);
  await untilReplicated(stack);
  const ledger = new Ledger();
  const clients = [load(stack, link, { ledger }), load(stack, link, { ledger, connections: 4, newConnections: true })];
  const customer = startCustomer(stack);
  const step = async (what: string) => {
    await sleep(STEP_MS);
    const { calls, failures } = customer.state();
    t.same([failures, ledger.refused, ledger.inDoubt], [[], 0, 0], `${what}: ${ledger.answered} visits, ${calls} calls`);
  };
  await step(`${name} alone`);
  await migrate(postgres.url);
  await step('the schema of this release, everything else of the one before');
  await replaceControlPlane(t, { stack, customer, root: COMPILED_ROOT, both: () => step('control planes of both') });
  await replaceEngine(t, stack);
  await step('this release alone');
  await replaceEngine(t, stack, older.root);
  await step('down again: the engine');
  await replaceControlPlane(t, { stack, customer, root: older.root, both: () => step('down again: control planes of both') });
  await step('the release before on the schema of this one');
  await customer.stop();
  await Promise.all(clients.map((client) => client.stop()));
  await checkClicks(t, stack, ledger, customer.state().calls);
}

/** Every visit is in the click log once: those of the one link by their numbers, the customer's by their count. */
async function checkClicks(t: Test, stack: Stack, ledger: Ledger, calls: number): Promise<void> {
  t.same(ledger.wrong, [], 'every answer is a redirect');
  await waitForClicks(stack, ledger.answered + calls);
  let others = 0;
  const numbered = async function* () {
    for await (const queries of stack.clickLog.queries()) {
      const own = queries.filter((query) => query !== null);
      others += queries.length - own.length;
      yield own;
    }
  };
  t.same(await ledger.compare(numbered()), { lost: [], doubled: [], unknown: [] }, `each of ${ledger.answered} visits is there once`);
  t.equal(others, calls, 'each visit of the customer is there once too');
}

interface Customer {
  /** The control planes that are called in turn. */
  readonly controlPlanes: Set<TestControlPlane>;
  state(): { readonly calls: number; readonly failures: readonly string[] };
  stop(): Promise<void>;
  /** No call is under way at it from now on. */
  leave(controlPlane: TestControlPlane): Promise<void>;
}

/** Makes a link and follows it, again and again, as one that is served by a proxy before the control planes. */
function startCustomer(stack: Stack): Customer {
  const controlPlanes = new Set([stack.controlPlane]);
  const failures: string[] = [];
  let calls = 0;
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const turn = async (controlPlane: TestControlPlane): Promise<void> => {
    const destination = `https://destination.example/${calls++}`;
    const made = await controlPlane.call<CreatedLink>(stack.project, 'POST', '/links', { destinations: { web: destination } });
    if (made.status !== 201) failures.push(`POST /links: ${made.status} ${JSON.stringify(made.body)}`);
    const visitor = createVisitor(stack.engine.port, stack.project.linkHost);
    const visit = await visitor.visit(`/${made.body.path}`);
    visitor.close();
    if (visit.status !== 302 || visit.location !== destination) failures.push(`GET /${made.body.path}: ${visit.status} ${visit.location}`);
  };
  const loop = (async () => {
    for (let number = 0; !stopped; number++) {
      const all = [...controlPlanes];
      underWay = turn(all[number % all.length] as TestControlPlane).catch((error: Error) => void failures.push(String(error)));
      await underWay;
      await sleep(CALL_REST_MS);
    }
  })();
  return {
    controlPlanes,
    state: () => ({ calls, failures: failures.slice(0, 5) }),
    async leave(controlPlane) {
      controlPlanes.delete(controlPlane);
      await underWay;
    },
    async stop() {
      stopped = true;
      await loop;
    },
  };
}

/** Another control plane beside the one there is, `both` while both work, and the end of the first. `root`: its release. */
async function replaceControlPlane(t: Test, { stack, customer, root, both }: Replacement): Promise<void> {
  const before = stack.controlPlane;
  stack.controlPlane = await startControlPlane({ ...stack.controlPlaneOptions, root });
  customer.controlPlanes.add(stack.controlPlane);
  await both();
  await customer.leave(before);
  await before.stop();
  t.match(await before.ended(), { code: 0, signal: null }, 'the other control plane ended in order');
}

interface Replacement {
  readonly stack: Stack;
  readonly customer: Customer;
  readonly root: string;
  readonly both: () => Promise<void>;
}
