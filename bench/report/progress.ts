import { SingleBar } from 'cli-progress';

export interface Progress {
  step(done: number, of: number, what: string): void;
  stop(): void;
}

/** A bar on a terminal, a line per step elsewhere. Standard output is left to the result. */
export function createProgress(): Progress {
  if (!process.stderr.isTTY) return { step: (done, of, what) => process.stderr.write(`${done}/${of} ${what}\n`), stop: () => {} };
  const bar = new SingleBar({ format: '{bar} {value}/{total} | {what}', stream: process.stderr, clearOnComplete: true, hideCursor: true });
  let started = false;
  return {
    step(done, of, what) {
      if (!started) bar.start(of, done, { what });
      started = true;
      bar.setTotal(of);
      bar.update(done, { what });
    },
    stop: () => bar.stop(),
  };
}
