import { Client } from 'undici';
import type { LoadClient, LoadResult, LoadSession } from './client.js';
import type { Contender, RunningServer, Scenario } from './contender.js';
import type { Cores } from './pinned-process.js';
import { cpuMicroseconds, type Memory, memoryOf } from './process-cost.js';
import { rotated, type Spread, spreadOf } from './statistics.js';

export interface Plan {
  readonly contenders: readonly Contender[];
  readonly scenarios: readonly Scenario[];
  readonly clients: readonly LoadClient[];
  readonly paths: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  /** Load before the first round, for the JIT and the page cache; 0 for none. */
  readonly warmUpSeconds: number;
  readonly cores: Cores;
  onStep(done: number, of: number, what: string): void;
}

/** One contender in one scenario by one client, over all rounds. */
export interface Measurement {
  readonly key: string;
  readonly contender: string;
  readonly scenario: string;
  readonly client: string;
  readonly requests_per_second: Spread;
  /** The values of each round, from which a ratio to any other contender is made. */
  readonly rates: readonly number[];
  readonly cpu_us: readonly number[];
  /** Server CPU time for one request, all threads, user and system. */
  readonly cpu_us_per_request: Spread;
  readonly p50_ms: Spread;
  readonly p99_ms: Spread;
  /** The rate divided by that of the first contender, round by round. */
  readonly rate_ratio: Spread;
  readonly failures: number;
  readonly memory: Memory;
  /** Why the figures do not count, or null. */
  readonly invalid: string | null;
}

interface Sample extends LoadResult {
  readonly rate: number;
  readonly cpu_us: number;
}

interface Contest {
  readonly contender: Contender;
  readonly server: RunningServer;
}

async function sample(plan: Plan, { contender, server }: Contest, scenario: Scenario, session: LoadSession): Promise<Sample> {
  const job = {
    port: server.port,
    headers: contender.headers,
    paths: contender.paths ?? plan.paths,
    status: contender.status ?? 302,
    connections: scenario.connections,
    pipelining: scenario.pipelining,
    seconds: plan.seconds,
  };
  const before = cpuOf(server);
  const result = await session.run(job);
  const cpu = cpuOf(server) - before;
  return { ...result, rate: result.requests / result.seconds, cpu_us: cpu / result.requests };
}

function cpuOf({ pids }: RunningServer): number {
  return pids.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0);
}

/** Checks some answers, because a server that answers anything else would be measured doing something else. */
async function checkAnswers({ contender, server }: Contest, defaultPaths: readonly string[]): Promise<void> {
  const { host, ...headers } = contender.headers;
  const { status = 302 } = contender;
  const client = new Client(`http://127.0.0.1:${server.port}`);
  for (const path of (contender.paths ?? defaultPaths).slice(0, 20)) {
    const answer = await client.request({ method: 'GET', path, headers: { ...headers, host: host as string } });
    await answer.body.dump();
    if (answer.statusCode !== status || (status === 302 && answer.headers.location === undefined))
      throw new Error(`${contender.name} answers ${answer.statusCode} to ${path}, not ${status}`);
  }
  await client.close();
}

/**
 * Measures every contender in every scenario with every client, in interleaved rounds, so that the machine affects all
 * of them alike. Servers stay up from the first round to the last.
 */
export async function measure(plan: Plan): Promise<readonly Measurement[]> {
  const contests: Contest[] = [];
  const sessions = plan.clients.map((client) => ({ client, session: client.open(plan.cores.client) }));
  try {
    for (const contender of plan.contenders) contests.push({ contender, server: await contender.start(plan.cores.server) });
    for (const contest of contests) await checkAnswers(contest, plan.paths);
    const samples = await runRounds(plan, contests, sessions);
    return plan.clients.flatMap((client) =>
      plan.scenarios.flatMap((scenario) =>
        contests.map((contest) => {
          const key = keyOf(contest, scenario, client);
          const first = samples.get(keyOf(contests[0] as Contest, scenario, client)) as Sample[];
          return summarize(contest, samples.get(key) as Sample[], first, { scenario: scenario.name, client: client.name });
        }),
      ),
    );
  } finally {
    await Promise.all([...contests.map(({ server }) => server.stop()), ...sessions.map(({ session }) => session.close())]);
  }
}

function keyOf({ contender }: Contest, scenario: Scenario, client: LoadClient): string {
  return `${client.name}/${scenario.name}/${contender.key}`;
}

interface OpenClient {
  readonly client: LoadClient;
  readonly session: LoadSession;
}

async function runRounds(
  plan: Plan,
  contests: readonly Contest[],
  sessions: readonly OpenClient[],
): Promise<ReadonlyMap<string, Sample[]>> {
  const samples = new Map<string, Sample[]>();
  const firstRound = plan.warmUpSeconds === 0 ? 0 : -1;
  const steps = (plan.rounds - firstRound) * contests.length * plan.scenarios.length * plan.clients.length;
  let done = 0;
  // Round -1 warms up.
  for (let round = firstRound; round < plan.rounds; round++)
    for (const { client, session } of sessions)
      for (const scenario of plan.scenarios)
        for (const contest of rotated(contests, Math.max(0, round))) {
          const key = keyOf(contest, scenario, client);
          plan.onStep(done++, steps, round < 0 ? `warm-up, ${key}` : `round ${round + 1}, ${key}`);
          const timed = round < 0 ? { ...plan, seconds: plan.warmUpSeconds } : plan;
          const result = await sample(timed, contest, scenario, session);
          if (round >= 0) samples.set(key, [...(samples.get(key) ?? []), result]);
        }
  plan.onStep(steps, steps, 'done');
  return samples;
}

function summarize(
  { contender, server }: Contest,
  samples: readonly Sample[],
  first: readonly Sample[],
  names: { readonly scenario: string; readonly client: string },
): Measurement {
  const failures = samples.reduce((sum, { failures }) => sum + failures, 0);
  return {
    key: contender.key,
    contender: contender.name,
    ...names,
    requests_per_second: spreadOf(samples.map(({ rate }) => rate)),
    rates: samples.map(({ rate }) => rate),
    cpu_us: samples.map(({ cpu_us }) => cpu_us),
    cpu_us_per_request: spreadOf(samples.map(({ cpu_us }) => cpu_us)),
    p50_ms: spreadOf(samples.map(({ p50_ms }) => p50_ms)),
    p99_ms: spreadOf(samples.map(({ p99_ms }) => p99_ms)),
    rate_ratio: spreadOf(samples.map(({ rate }, round) => rate / (first[round] as Sample).rate)),
    failures,
    memory: memoryOf(server.pids),
    invalid: failures > 0 ? `${failures} requests failed` : server.invalid(),
  };
}
