import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../shared/base/log.js';
import type { ListenerKind } from '../http/listener.js';
import { canSharePort } from '../http/shared-port.js';

export interface ListenerChoice {
  readonly kind: ListenerKind;
  readonly processes: number;
  /** Whether a successor can listen while its predecessor still does. */
  readonly sharesPort: boolean;
}

export interface ListenerWish {
  readonly listener: ListenerKind;
  readonly processes: number;
}

/**
 * Whether uWebSockets.js loads. A process of its own finds that out, because a native binary that is not for this system may end
 * the process that loads it.
 */
export function uwsLoads(): Promise<boolean> {
  const probe = spawn(process.execPath, [fileURLToPath(new URL('../http/uws-probe.js', import.meta.url))], { stdio: 'ignore' });
  return new Promise((resolve) => {
    probe.once('exit', (code) => resolve(code === 0));
    probe.once('error', () => resolve(false));
  });
}

/**
 * Returns which listener the redirect processes use, and how many processes there can be. node:http shares a port from Node.js
 * 22.12 on. Before that, it serves from one process, whatever REDIRECT_PROCESSES says, and a rolling restart leaves the port
 * closed for the moment between the two processes. (Handing accepted connections from a parent to its children, as `node:cluster`
 * does, would put the supervisor into the path of every visitor.)
 */
export async function chooseListener(wish: ListenerWish, probe: () => Promise<boolean>, log: Logger): Promise<ListenerChoice> {
  const kind = wish.listener === 'uws' && (await probe()) ? 'uws' : 'node';
  if (kind !== wish.listener)
    log.warn({ code: 'uws_not_loadable' }, 'uWebSockets.js does not load on this system; node:http serves the link hosts');
  const sharesPort = canSharePort(kind);
  if (!sharesPort && wish.processes > 1)
    log.warn(
      { code: 'port_not_shareable', asked: wish.processes },
      'node:http cannot share a port on this Node.js, so there is only one redirect process',
    );
  return { kind, sharesPort, processes: sharesPort ? wish.processes : 1 };
}
