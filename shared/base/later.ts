/** Calls `run` once after so many milliseconds; what it answers takes that back. Injected, so that a test can hold time still. */
export type Later = (milliseconds: number, run: () => void) => () => void;

export const systemLater: Later = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};
