import { SingleBar } from 'cli-progress';

/** Further values that a format uses. */
type Values = Readonly<Record<string, number>>;

export interface Progress {
  update(done: number, of: number, named?: Values): void;
  stop(): void;
}

/** Shows a progress bar on a terminal. `format` is a format of cli-progress. */
export function createProgress(terminal: NodeJS.WriteStream | null, format: string, named: Values = {}): Progress {
  if (terminal === null) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({ format, stream: terminal, clearOnComplete: true, hideCursor: true });
  bar.start(1, 0, named);
  return {
    update(done, of, named) {
      bar.setTotal(Math.max(1, of));
      bar.update(done, named);
    },
    stop: () => bar.stop(),
  };
}
