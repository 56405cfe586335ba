import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { spreadOf } from '../../bench/load/statistics.js';
import type { ProbeFigures, ProbeLoad, ProbeOptions } from '../fixtures/path-prober.js';
import { visitorPerProcess } from '../support/process-visitors.js';
import { type CreatedLink, createCountedLink, type Stack, startStack } from '../support/stack.js';
import { p99, startTimedVisitors } from '../support/timed-visitors.js';
import { DESKTOP } from '../support/visitor.js';
import { sleep } from './scenarios.js';

export interface Enumeration {
  /** The number of links made meanwhile. */
  readonly links: number;
  readonly perSecond: number;
  /** How often known links are visited in each situation, and for how long each time, in milliseconds. */
  readonly rounds: number;
  readonly roundMs: number;
}

/** The 99th percentile of the waits of visitors of a known link: median of the rounds, in milliseconds. */
export interface KnownLinkWaits {
  readonly alone: number;
  /** Beside as many visits of a known link as there are otherwise visits of unknown paths. */
  readonly besideKnown: number;
  readonly besideUnknown: number;
}

/** Time for the load to begin, and for earlier requests to be answered. */
const SETTLE_MS = 700;

/** Promise R20: while somebody tries out paths, every new link redirects at its first visit, on every process. */
export async function enumeration(t: Test, { links, perSecond, rounds, roundMs }: Enumeration): Promise<KnownLinkWaits> {
  const stack = await startStack(t);
  const known = await createCountedLink(stack);
  const { port } = stack.engine;
  const host = stack.project.linkHost;
  const prober = startProber(t, { port, host, connections: 200 });
  const path = `${known.path}?n=0`;
  const visitors = startTimedVisitors(t, { port, host, path, user_agent: DESKTOP, visitors: 8, pause_ms: 4 });
  const setLoad = (load: ProbeLoad) => answersBefore(prober, load);
  const waitBeside = async (load: ProbeLoad) => {
    await setLoad(load);
    await sleep(SETTLE_MS);
    return p99(await visitors.timesOf(roundMs));
  };

  const silence: ProbeLoad = { per_second: 0, path: null };
  const unknownPaths: ProbeLoad = { per_second: perSecond, path: null };
  await waitBeside({ ...unknownPaths, path: known.path }); // compiles what is compiled on first use
  await waitBeside(unknownPaths);
  const waits = { alone: [] as number[], besideKnown: [] as number[], besideUnknown: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    waits.alone.push(await waitBeside(silence));
    waits.besideKnown.push(await waitBeside({ ...unknownPaths, path: known.path }));
    waits.besideUnknown.push(await waitBeside(unknownPaths));
  }
  await setLoad(unknownPaths);
  const beganAt = performance.now();
  const denied = await visitFreshLinks(stack, known, links);
  const figures = await setLoad(silence);
  const answers = Math.round((figures['404'] ?? 0) / ((performance.now() - beganAt) / 1000));
  const medianOf = (values: readonly number[]) => spreadOf(values).median;
  const medians = { alone: medianOf(waits.alone), besideKnown: medianOf(waits.besideKnown), besideUnknown: medianOf(waits.besideUnknown) };
  t.comment(`${answers} unknown paths a second beside new links; p99 of known links in ms: ${JSON.stringify(waits)}`);
  t.same(denied, [], `each of ${links} fresh links redirected at its first visit`);
  t.same(Object.keys(figures), ['404'], 'every unknown path is answered with 404');
  return medians;
}

function startProber(t: Test, options: ProbeOptions): ChildProcess {
  const child = fork(fileURLToPath(new URL('../fixtures/path-prober.js', import.meta.url)), [JSON.stringify(options)]);
  t.teardown(() => void child.kill('SIGKILL'));
  return child;
}

/** Sets the load. Returns how the paths requested until now were answered. */
async function answersBefore(prober: ChildProcess, load: ProbeLoad): Promise<ProbeFigures> {
  prober.send(load);
  const [figures] = (await once(prober, 'message')) as [ProbeFigures];
  return figures;
}

/** Returns the visits that did not redirect. */
async function visitFreshLinks(stack: Stack, known: CreatedLink, links: number): Promise<readonly string[]> {
  const pids = [...(await stack.engine.pids())].filter(([name]) => name.startsWith('redirect-')).map(([, pid]) => pid);
  const visitors = await visitorPerProcess({ port: stack.engine.port, host: stack.project.linkHost, path: `/${known.path}?n=0` }, pids);
  const denied: string[] = [];
  for (let number = 0; number < links; number++) {
    const destination = `https://destination.example/fresh/${number}`;
    const { status, body } = await stack.controlPlane.call<CreatedLink>(stack.project, 'POST', '/links', {
      destinations: { web: destination },
    });
    const visits = await Promise.all([...visitors.values()].map((visitor) => visitor.visit(`/${body.path}`)));
    for (const visit of visits)
      if (status !== 201 || visit.location !== destination) denied.push(`link ${number}: ${status}, then ${visit.status}`);
  }
  for (const visitor of visitors.values()) visitor.close();
  return denied;
}
