import { type Logger, pino } from 'pino';

export type { Logger };

/** One JSON line per event on standard output. `name` is the process: `control-plane`, `redirect-0`, `background`. */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    base: { pid: process.pid, name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
