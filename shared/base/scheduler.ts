/** Calls `run` once after this many milliseconds. The returned function cancels the call. Injected, so that a test can hold time still. */
export type Scheduler = (milliseconds: number, run: () => void) => () => void;

export const systemScheduler: Scheduler = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
