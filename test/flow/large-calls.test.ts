import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { cpuMicroseconds, mainThreadMicroseconds } from '../../bench/load/process-cost.js';
import { BULK_BODY_BYTES_MAX, BULK_LINKS_MAX } from '../../shared/base/limits.js';
import { makeProject, startControlPlane, type TestControlPlane, type TestProject } from '../support/control-plane.js';
import { createDatabase } from '../support/database.js';

const skip = process.platform === 'linux' ? false : 'reads /proc';

interface Service {
  readonly controlPlane: TestControlPlane;
  /** The project that makes large calls. */
  readonly busy: TestProject;
  readonly other: TestProject;
}

async function start(t: Test): Promise<Service> {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const controlPlane = await startControlPlane({ databaseUrl: own.url, dir: t.testdir() });
  t.teardown(() => controlPlane.stop());
  // The longest possible host name, which makes for the largest QR codes.
  const longName = ['b', 'u', 's', 'y'].map((letter) => letter.repeat(58)).join('.');
  return { controlPlane, busy: await makeProject(own.url, longName), other: await makeProject(own.url, 'other') };
}

/** A body of the largest size, with the maximum number of links, each of which has most of what a link may hold. */
function largestBody(turn: number): string {
  const linkOf = (index: number) => ({
    path: `large-${turn}-${index}`,
    deep_link_path: `/products/${index}`,
    utm_source: 'print',
    data: Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`key_${key}`, `value ${key} ${'x'.repeat(150)}`])),
    destinations: {
      web: `https://www.example.com/${turn}/${index}/${'w'.repeat(1900)}`,
      desktop: `https://www.example.com/${turn}/${index}/${'d'.repeat(1900)}`,
    },
  });
  const body = JSON.stringify({ links: Array.from({ length: BULK_LINKS_MAX }, (_, index) => linkOf(index)) });
  return body + ' '.repeat(BULK_BODY_BYTES_MAX - Buffer.byteLength(body));
}

/** Does not parse the answer, so that this process stays free for small calls. */
async function sendBulk(t: Test, { controlPlane, busy }: Service, body: string): Promise<void> {
  const response = await fetch(`${controlPlane.baseUrl}/links/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${busy.secretKey}`, 'content-type': 'application/json' },
    body,
  });
  const answer = Buffer.from(await response.arrayBuffer());
  t.match(answer.subarray(-50).toString(), `"created":${BULK_LINKS_MAX},"failed":0}`);
}

interface Cost {
  /** CPU time of the main thread, which runs the event loop, and of all threads. */
  readonly mainMs: number;
  readonly allMs: number;
  /** The longest delay of the event loop, as the process itself measures it. */
  readonly lagMs: number;
  /** How long another client's small calls took meanwhile, in ascending order. */
  readonly smallCallsMs: readonly number[];
}

async function lagMs({ controlPlane }: Service): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${controlPlane.adminPort}/metrics`);
  return 1000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await response.text())?.[1]);
}

/** Measures what the work costs the process while another client makes small calls. */
async function costOf(t: Test, service: Service, work: () => Promise<void>): Promise<Cost> {
  const { controlPlane, other } = service;
  const smallCallsMs: number[] = [];
  let isDone = false;
  const makeSmallCalls = async () => {
    while (!isDone) {
      const start = performance.now();
      t.equal((await controlPlane.call(other, 'GET', '/links')).status, 200);
      smallCallsMs.push(performance.now() - start);
      await pause(50);
    }
  };
  // Reading the metrics begins a new measurement.
  await lagMs(service);
  const main = mainThreadMicroseconds(controlPlane.pid);
  const all = cpuMicroseconds(controlPlane.pid);
  const smallCalls = makeSmallCalls();
  await work();
  isDone = true;
  await smallCalls;
  return {
    mainMs: (mainThreadMicroseconds(controlPlane.pid) - main) / 1000,
    allMs: (cpuMicroseconds(controlPlane.pid) - all) / 1000,
    lagMs: await lagMs(service),
    smallCallsMs: smallCallsMs.sort((a, b) => a - b),
  };
}

function told({ mainMs, allMs, lagMs, smallCallsMs }: Cost): string {
  const at = (part: number) => smallCallsMs[Math.floor(part * (smallCallsMs.length - 1))]?.toFixed(1);
  const small = `${smallCallsMs.length} small calls, median ${at(0.5)} ms, longest ${at(1)} ms`;
  return `main thread ${mainMs.toFixed(0)} of ${allMs.toFixed(0)} ms; event loop late by ${lagMs.toFixed(0)} ms at most; ${small}`;
}

// CPU time is the same on a busy machine as on a quiet one. The delay of the event loop depends on what else runs.
t.test('bulk calls with the largest body do most of their work outside the main thread', { skip }, async (t) => {
  const service = await start(t);
  const [first, ...bodies] = [0, 1, 2, 3, 4].map(largestBody);
  await sendBulk(t, service, first as string);
  const cost = await costOf(t, service, async () => {
    for (const body of bodies) await sendBulk(t, service, body);
  });
  t.ok(cost.mainMs < 0.35 * cost.allMs, told(cost));
});

t.test('QR codes of the largest size are made mostly outside the main thread', { skip }, async (t) => {
  const service = await start(t);
  const { controlPlane, busy } = service;
  const { body: link } = await controlPlane.call<{ id: string }>(busy, 'POST', '/links', { path: 'p'.repeat(64) });
  const makeImages = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(`${controlPlane.baseUrl}/links/${link.id}/qr?format=png&size=2048`, {
          headers: { authorization: `Bearer ${busy.secretKey}` },
        });
        const image = Buffer.from(await response.arrayBuffer());
        t.equal(image.readUInt32BE(16), 2048);
      }),
    );
  await makeImages(1);
  const cost = await costOf(t, service, async () => {
    for (let turn = 0; turn < 10; turn++) await makeImages(20);
  });
  t.ok(cost.mainMs < 0.35 * cost.allMs, told(cost));
});
