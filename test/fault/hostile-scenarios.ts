import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import type { ListenerKind } from '../../engine/http/listener.js';
import { converse, request } from '../engine/http/raw-http.js';
import type { FaultyHostFigures, FaultyHostReady } from '../fixtures/faulty-host.js';
import { attack, seededRandom } from '../support/hostile-client.js';

/** What strangers can do to a listener. Each attack is a function with its length as a parameter, as in `scenarios.ts`. */

const ENTRY = fileURLToPath(new URL('../fixtures/faulty-host.js', import.meta.url));

export interface FaultyHost extends FaultyHostReady {
  readonly child: ChildProcess;
  alive(): boolean;
  figures(): Promise<FaultyHostFigures>;
}

export async function startHost(t: Test, kind: ListenerKind, mode: 'faults' | 'well'): Promise<FaultyHost> {
  const child = fork(ENTRY, [kind, mode]);
  t.teardown(() => void child.kill('SIGKILL'));
  const [ready] = (await once(child, 'message')) as [FaultyHostReady];
  return {
    ...ready,
    child,
    alive: () => child.exitCode === null && child.signalCode === null,
    async figures() {
      child.send('figures');
      const [figures] = (await once(child, 'message')) as [FaultyHostFigures];
      return figures;
    },
  };
}

/** A process that serves millions of requests uses memory for those under way alone. */
const GROWTH_BYTES_MAX = 200 * 1024 ** 2;

/** How many heads are sent between two checks of the figures. */
const BURST_HEADS = 20_000;

/**
 * Promise R9: nothing that a client can send, and no way to disconnect, ends the process that serves. `requests` is the number of
 * requests that must reach a handler, `heads` the least number sent.
 */
export async function provokeAbort(t: Test, kind: ListenerKind, requests: number, heads = 0): Promise<void> {
  const host = await startHost(t, kind, 'faults');
  const before = await host.figures();
  const seed = Date.now() >>> 0;
  const random = seededRandom(seed);
  let after = before;
  let sent = 0;
  while (host.alive() && (after.handled < requests || sent < heads)) {
    sent += await attack({ ...host, tlsShare: 0.05, requests: BURST_HEADS, connections: 64, random, goOn: host.alive });
    if (host.alive()) after = await host.figures();
  }
  const grown = after.resident_bytes - before.resident_bytes;
  t.comment(`${kind}: ${sent} heads sent, ${after.handled} handled, ${after.connections} connections left, ${grown >> 20} MiB more`);
  t.ok(host.alive(), `seed ${seed}: ${host.child.signalCode ?? host.child.exitCode ?? 'it lives'}`);
  t.ok(grown < GROWTH_BYTES_MAX, `memory grew by ${grown} bytes`);
  const { answers } = await converse(host.port, request('/robots.txt'), { answers: 1, waitMs: 5000 });
  t.equal(answers[0]?.status, 200, 'the process still serves');
}

interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Promise R13: clients that send a byte now and then keep nobody else from being answered. Returns the factor by which they raise
 * the 99th percentile of the waits of other clients, in the median of the rounds.
 */
export async function slowSockets(
  t: Test,
  kind: ListenerKind,
  { sockets, rounds, roundMs }: { sockets: number; rounds: number; roundMs: number },
): Promise<number> {
  const host = await startHost(t, kind, 'well');
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await goodClients(host.port, roundMs);
    const slow = await openSlowSockets(host.port, sockets);
    const together = await goodClients(host.port, roundMs);
    const open = (await host.figures()).connections;
    slow.close();
    t.ok(open >= sockets, `${open} connections were open`);
    t.comment(`alone p50 ${alone.p50} p99 ${alone.p99} ms, beside ${sockets} slow sockets p50 ${together.p50} p99 ${together.p99} ms`);
    ratios.push(together.p99 / alone.p99);
    while ((await host.figures()).connections > 20) await pause(50);
  }
  return ratios.toSorted((one, other) => one - other)[ratios.length >> 1] as number;
}

/** Eight clients, each of which makes one request after the other. Returns latencies in milliseconds. */
async function goodClients(port: number, milliseconds: number): Promise<Latencies> {
  const took: number[] = [];
  const end = performance.now() + milliseconds;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      await once(socket, 'connect');
      while (performance.now() < end) {
        const began = performance.now();
        socket.write(request('/abc'));
        await once(socket, 'data');
        took.push(performance.now() - began);
      }
      socket.destroy();
    }),
  );
  const sorted = took.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round((sorted[Math.floor(part * sorted.length)] ?? Number.NaN) * 100) / 100;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Opens sockets that each send one more byte of a head every second. */
async function openSlowSockets(port: number, count: number): Promise<{ close(): void }> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 250) {
    const group = Array.from({ length: Math.min(250, count - opened) }, () => connect(port, '127.0.0.1'));
    await Promise.all(group.map((socket) => once(socket, 'connect')));
    for (const socket of group) {
      socket.on('error', () => {});
      socket.write('GET /abc HTTP/1.1\r\nHost: go.shop.example\r\nX-Slow: ');
    }
    sockets.push(...group);
  }
  let turn = 0;
  const drip = setInterval(() => {
    // A tenth of the sockets every tenth of a second.
    for (let index = turn++ % 10; index < sockets.length; index += 10) sockets[index]?.write('x');
  }, 100);
  return {
    close() {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
