import { fork as forkProcess } from 'node:child_process';
import type { Logger } from '../../shared/base/log.js';
import type { ChildMessage } from '../processes/messages.js';
import type { Exit, Fork } from './child.js';
import type { Pidfile } from './pidfile.js';

export interface ForkInput {
  /** Compiled module to run. */
  readonly entry: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Logger;
  readonly pidfile: Pidfile;
}

/** Forks real processes. Nothing here throws: a process that cannot be started is reported as one that ended at once. */
export function createFork({ entry, environment, log, pidfile }: ForkInput): Fork {
  return ({ onMessage, onExit }) => {
    const child = forkProcess(entry, [], { env: environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const { pid } = child;
    let ended = false;
    const end = (exit: Exit) => {
      if (ended) return;
      ended = true;
      if (pid !== undefined) forget(pid);
      onExit(exit);
    };
    const forget = (ended_pid: number) => {
      try {
        pidfile.remove(ended_pid);
      } catch (error) {
        log.warn({ code: 'pidfile_unremovable', err: error }, 'the pidfile of an ended process could not be removed');
      }
    };
    child.on('message', (message) => onMessage(message as ChildMessage));
    child.on('exit', (code, signal) => end({ code, signal }));
    // Also raised if a message cannot be sent to a process that is ending. Only a process without a pid never ran.
    child.on('error', (error) => {
      log.warn({ code: 'process_unreachable', err: error, child_pid: pid }, 'a process could not be started or reached');
      if (pid === undefined) end({ code: null, signal: null });
    });
    if (pid !== undefined) {
      try {
        pidfile.add(pid);
      } catch (error) {
        log.warn({ code: 'pidfile_unwritable', err: error }, 'the pidfile of a process could not be written');
      }
    }
    return {
      pid: pid ?? 0,
      send(message) {
        // Without a callback, a failed send raises an 'error' event, which is logged. The exit of the process says the rest.
        if (child.connected) child.send(message);
      },
      kill: (signal) => child.kill(signal),
    };
  };
}
