/** Calls `run` once after so many milliseconds; what it answers takes that back. Injected, so that a test can hold time still. */
export type Scheduler = (milliseconds: number, run: () => void) => () => void;

export const systemScheduler: Scheduler = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
