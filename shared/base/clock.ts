/** Milliseconds since the Unix epoch. Every part takes its clock as a parameter, so that a test can hold it still. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * Milliseconds since some moment, the same one for all threads of a process, on a clock that nobody sets: for how long
 * something takes or holds. Clocks of hosts differ; what two hosts have to agree on is judged by the database's.
 */
export const monotonicClock: Clock = () => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
};
