import type { Test } from 'tap';
import { migrate } from '../../control-plane/db/migrate.js';
import { startControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { startEngine, type TestEngine } from '../support/engine.js';
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
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';
import { COMPILED_ROOT } from '../support/whole-process.js';
import { replaceEngine } from './release-scenarios.js';
import { load, sleep } from './scenarios.js';

/** How long each state of the upgrade is kept under load. */
const STEP_MS = 5_000;
const CALL_REST_MS = 50;

/**
 * Follows deploy/upgrade.md step by step: the schema, the control planes, the engine, and back without the schema. For a time
 * there is a second host, whose engine is of the other release. All the time, visitors follow one link, and a customer makes
 * links at every control plane, follows them on every host, and receives a webhook for each.
 */
export async function upAndDownAgain(t: Test, name: string): Promise<void> {
  const older = await buildLastRelease(t, name);
  const postgres = await startOwnPostgres(t, older.migrate);
  const project = await older.makeProject(postgres.url);
  const receiver = await startReceiver(t, (response) => response.writeHead(204).end());
  const environment = { OUTBOUND_ALLOW: receiver.origin };
  const stack = await startStack(t, { databaseUrl: postgres.url, root: older.root, controlPlaneRoot: older.root, project, environment });
  const link = await createCountedLink(stack);
  await subscribe(stack, receiver);
  await untilReplicated(stack);
  const ledger = new Ledger();
  const clients = [load(stack, link, { ledger }), load(stack, link, { ledger, connections: 4, newConnections: true })];
  const customer = startCustomer(stack);
  // Otherwise a step that fails would leave them running.
  t.teardown(() => Promise.all([customer, ...clients].map((client) => client.stop())));
  const step = async (what: string) => {
    await sleep(STEP_MS);
    const { calls, failures } = customer.state();
    t.same([failures, ledger.refused, ledger.inDoubt], [[], 0, 0], `${what}: ${ledger.answered} visits, ${calls} calls`);
  };
  await step(`${name} alone`);
  await migrate(postgres.url);
  await step('the schema of this release, everything else of the one before');
  await replaceControlPlane(t, { stack, customer, root: COMPILED_ROOT, both: () => step('control planes of both') });
  await besideOtherEngine(t, { stack, customer, both: () => step('hosts of both') });
  await replaceEngine(t, stack);
  await step('this release alone');
  await replaceEngine(t, stack, older.root);
  await step('down again: the engine');
  await replaceControlPlane(t, { stack, customer, root: older.root, both: () => step('down again: control planes of both') });
  await step('the release before on the schema of this one');
  await customer.stop();
  await Promise.all(clients.map((client) => client.stop()));
  const { calls, visits } = customer.state();
  t.comment(`${ledger.answered} visits of one link, ${calls} calls with ${visits} visits: ${ledger.refused} failed`);
  await checkClicks(t, stack, ledger, customer.state().visits);
  await checkDeliveries(t, receiver, customer.state().made);
}

async function subscribe({ controlPlane, project }: Stack, receiver: Receiver): Promise<void> {
  const { status, body } = await controlPlane.call<{ readonly secret: string }>(project, 'POST', '/webhooks', {
    url: `${receiver.origin}/`,
    events: ['link.created'],
  });
  if (status !== 201) throw new Error(`the webhook was not made: ${status} ${JSON.stringify(body)}`);
  receiver.trust(body.secret);
}

/** Checks that each link had exactly one event, from whichever host, because none was killed. */
async function checkDeliveries(t: Test, receiver: Receiver, made: readonly string[]): Promise<void> {
  const told = () => receiver.received.map(({ event }) => (event.data as CreatedLink).id);
  await until(() => new Set(told()).size >= made.length, `events of ${made.length} links`, 60_000);
  t.same(told().toSorted(), made.toSorted(), `each of ${made.length} links has one event`);
}

/** Checks that every visit is in the click log once: those of the one link by their numbers, the customer's by their count. */
async function checkClicks(t: Test, stack: Stack, ledger: Ledger, customerVisits: number): Promise<void> {
  t.same(ledger.wrong, [], 'every answer is a redirect');
  await waitForClicks(stack, ledger.answered + customerVisits);
  let others = 0;
  const numbered = async function* () {
    for await (const queries of stack.clickLog.queries()) {
      const own = queries.filter((query) => query !== null);
      others += queries.length - own.length;
      yield own;
    }
  };
  t.same(
    await ledger.compare(numbered()),
    { lost: [], doubled: [], unknown: [] },
    `each of ${ledger.answered} visits is in the click log once`,
  );
  t.equal(others, customerVisits, 'each visit of the customer is in the click log once');
}

interface Customer {
  /** The control planes, which are called in turn. */
  readonly controlPlanes: Set<TestControlPlane>;
  /** Engines of other hosts, which are visited like the stack's own. */
  readonly engines: Set<TestEngine>;
  /** `made` holds the ids of links. */
  state(): { readonly calls: number; readonly visits: number; readonly made: readonly string[]; readonly failures: readonly string[] };
  stop(): Promise<void>;
  /** Stops using it. Resolves when no call to it is under way. */
  leave(gone: TestControlPlane | TestEngine): Promise<void>;
}

/** Makes a link and follows it, again and again, like a customer whose calls reach the control planes through a proxy. */
function startCustomer(stack: Stack): Customer {
  const controlPlanes = new Set([stack.controlPlane]);
  const engines = new Set<TestEngine>();
  const failures: string[] = [];
  const ids: string[] = [];
  let calls = 0;
  let visits = 0;
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const turn = async (controlPlane: TestControlPlane): Promise<void> => {
    const destination = `https://destination.example/${calls++}`;
    const made = await controlPlane.call<CreatedLink>(stack.project, 'POST', '/links', { destinations: { web: destination } });
    if (made.status !== 201) failures.push(`POST /links: ${made.status} ${JSON.stringify(made.body)}`);
    ids.push(made.body.id);
    for (const engine of [stack.engine, ...engines]) {
      const visitor = createVisitor(engine.port, stack.project.linkHost);
      const visit = await visitor.visit(`/${made.body.path}`);
      visitor.close();
      visits++;
      if (visit.status !== 302 || visit.location !== destination)
        failures.push(`GET /${made.body.path}: ${visit.status} ${visit.location}`);
    }
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
    engines,
    state: () => ({ calls, visits, made: ids, failures: failures.slice(0, 5) }),
    async leave(gone) {
      controlPlanes.delete(gone as TestControlPlane);
      engines.delete(gone as TestEngine);
      await underWay;
    },
    async stop() {
      stopped = true;
      await loop;
    },
  };
}

/** Adds a second host with a folder of its own, whose engine is of this release. It leaves again after `both`. */
async function besideOtherEngine(t: Test, { stack, customer, both }: Omit<Replacement, 'root'>): Promise<void> {
  const other = await startEngine({ ...stack.engineOptions, dataDir: temporaryFolder(t), root: COMPILED_ROOT });
  t.teardown(() => other.stop());
  await other.whenReady();
  customer.engines.add(other);
  await both();
  const [newest] = await stack.rows<{ position: string }>('SELECT max(position) AS position FROM config_feed');
  const following = 'SELECT FROM engines WHERE left_at IS NULL AND applied_position >= $1';
  await until(async () => (await stack.rows(following, [newest?.position])).length === 2, 'both hosts to have every change');
  await customer.leave(other);
  await other.stop();
  t.match(await other.ended(), { code: 0, signal: null }, 'the other host ended with code 0');
}

/** Starts a control plane of the release at `root` beside the existing one, runs `both` while both work, and stops the first. */
async function replaceControlPlane(t: Test, { stack, customer, root, both }: Replacement): Promise<void> {
  const before = stack.controlPlane;
  stack.controlPlane = await startControlPlane({ ...stack.controlPlaneOptions, root });
  customer.controlPlanes.add(stack.controlPlane);
  await both();
  await customer.leave(before);
  await before.stop();
  t.match(await before.ended(), { code: 0, signal: null }, 'the replaced control plane ended with code 0');
}

interface Replacement {
  readonly stack: Stack;
  readonly customer: Customer;
  readonly root: string;
  readonly both: () => Promise<void>;
}
