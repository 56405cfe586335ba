/** Milliseconds since the Unix epoch. Every part takes its clock as a parameter, so that a test can hold it still. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * Milliseconds since some moment, which is the same for all threads of a process, on a clock that nobody sets. It
 * measures how long something takes or holds. Clocks of hosts differ, so what two hosts have to agree on is judged by
 * the database's clock.
 */
export const monotonicClock: Clock = () => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};
