import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { withCountingService } from './counting/service.js';
import { childrenOf, cpuMicroseconds, unlessEnded } from './load/process-cost.js';
import type { Progress } from './report/progress.js';

export interface IdleProcess {
  readonly name: string;
  /** Share of one core, in percent. */
  readonly cpu_percent: number;
  /** How often its threads went to sleep, which is how often a timer or another process woke them. */
  readonly wakes_per_second: number;
}

export interface IdleResult {
  readonly seconds: number;
  readonly processes: readonly IdleProcess[];
}

export interface IdlePlan {
  /** How long to wait first, because processes that have just started still compile and collect garbage. */
  readonly restSeconds: number;
  readonly seconds: number;
  readonly onStep: Progress['step'];
}

interface Usage {
  readonly name: string;
  readonly cpuUs: number;
  /** Voluntary context switches by thread. */
  readonly sleeps: ReadonlyMap<string, number>;
}

/** What the whole service costs while nobody uses it: control plane, engine with two redirect processes, PostgreSQL. */
export function runIdle({ restSeconds, seconds, onStep }: IdlePlan): Promise<IdleResult> {
  return withCountingService(async ({ engine, processes: { controlPlane, postgres } }) => {
    onStep(0, 2, `processes rest for ${restSeconds} s`);
    await setTimeout(restSeconds * 1000);
    const pids = [controlPlane, engine.pid, ...childrenOf(engine.pid), postgres, ...childrenOf(postgres)];
    const read = () => new Map(pids.map((pid) => [pid, unlessEnded(() => usageOf(pid, postgres))]));
    const before = read();
    const began = performance.now();
    onStep(1, 2, `nobody uses the service for ${seconds} s`);
    await setTimeout(seconds * 1000);
    const tookSeconds = (performance.now() - began) / 1000;
    const used = new Map<string, { cpuUs: number; sleeps: number }>();
    for (const [pid, now] of read()) {
      const earlier = before.get(pid) ?? null;
      if (now === null || earlier === null) continue;
      const sum = used.get(now.name) ?? { cpuUs: 0, sleeps: 0 };
      // What a thread slept that has ended since is unknown.
      for (const [thread, sleeps] of now.sleeps) sum.sleeps += sleeps - (earlier.sleeps.get(thread) ?? 0);
      sum.cpuUs += now.cpuUs - earlier.cpuUs;
      used.set(now.name, sum);
    }
    onStep(2, 2, 'measured');
    return {
      seconds: tookSeconds,
      processes: [...used].map(([name, { cpuUs, sleeps }]) => ({
        name,
        cpu_percent: cpuUs / tookSeconds / 10_000,
        wakes_per_second: sleeps / tookSeconds,
      })),
    };
  });
}

/** Throws if the process has ended, as the server process of a closed connection does. */
function usageOf(pid: number, postgres: number): Usage {
  const sleepsOf = (thread: string) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1]);
  const sleeps = new Map(readdirSync(`/proc/${pid}/task`).map((thread) => [thread, sleepsOf(thread)]));
  const name = pid === postgres || childrenOf(postgres).includes(pid) ? 'PostgreSQL' : nameOf(pid);
  return { name, cpuUs: cpuMicroseconds(pid), sleeps };
}

/** The name of the program's file: `main`, `redirect` or `background` of the engine, `main` of the control plane. */
function nameOf(pid: number): string {
  const program =
    readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .find((part) => part.endsWith('.js')) ?? '';
  const [folder = '', file = ''] = program.split('/').slice(-2);
  return folder === 'control-plane' ? 'control plane' : `${folder}, ${file.replace('.js', '')}`;
}
