import { SingleBar } from 'cli-progress';

export interface Progress {
  update(done: number, of: number): void;
  stop(): void;
}

/** Shows a progress bar on a terminal. `format` is that of cli-progress. */
export function createProgress(terminal: NodeJS.WriteStream | null, format: string): Progress {
  if (terminal === null) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({ format, stream: terminal, clearOnComplete: true, hideCursor: true });
  bar.start(1, 0);
  return {
    update(done, of) {
      bar.setTotal(Math.max(1, of));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
