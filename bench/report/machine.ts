import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release } from 'node:os';

/** What a reader needs to judge the figures. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly kernel: string;
  readonly node: string;
  /** Commit that was measured; null outside a checkout. */
  readonly commit: string | null;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    kernel: release(),
    node: process.version,
    commit: currentCommit(),
  };
}

function currentCommit(): string | null {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    // There is no git, or no checkout. The figures are valid without it.
    return null;
  }
}
