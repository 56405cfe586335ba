import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { withCountingService } from './counting/service.js';
import { childrenOf, cpuMicroseconds } from './load/process-cost.js';
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
  readonly cpuUs: number;
  readonly sleeps: number;
}

/** What the whole service costs while nobody uses it: control plane, engine with two redirect processes, PostgreSQL. */
export function runIdle({ restSeconds, seconds, onStep }: IdlePlan): Promise<IdleResult> {
  return withCountingService(async ({ engine, processes: { controlPlane, postgres } }) => {
    onStep(0, 2, `processes rest for ${restSeconds} s`);
    await setTimeout(restSeconds * 1000);
    const pids = [controlPlane, engine.pid, ...childrenOf(engine.pid), postgres, ...childrenOf(postgres)];
    const before = new Map(pids.map((pid) => [pid, usageOf(pid)]));
    const began = performance.now();
    onStep(1, 2, `nobody uses the service for ${seconds} s`);
    await setTimeout(seconds * 1000);
    const used = new Map<string, Usage>();
    for (const [pid, { cpuUs, sleeps }] of before) {
      // A server process of PostgreSQL whose connection was closed.
      if (!existsSync(`/proc/${pid}`)) continue;
      const name = pid === postgres || childrenOf(postgres).includes(pid) ? 'PostgreSQL' : nameOf(pid);
      const sum = used.get(name) ?? { cpuUs: 0, sleeps: 0 };
      const now = usageOf(pid);
      used.set(name, { cpuUs: sum.cpuUs + now.cpuUs - cpuUs, sleeps: sum.sleeps + now.sleeps - sleeps });
    }
    const tookSeconds = (performance.now() - began) / 1000;
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

/** CPU time and voluntary context switches of all threads since the process started. */
function usageOf(pid: number): Usage {
  const sleepsOf = (thread: string) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1]);
  const sleeps = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + sleepsOf(thread), 0);
  return { cpuUs: cpuMicroseconds(pid), sleeps };
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
