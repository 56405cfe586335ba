import { type Hold, holdPort } from '../../shared/base/free-port.js';
import { StartError } from './start-error.js';

/** A port that a process will listen on; `port` 0 asks for any free one. */
export interface PortRequest {
  /** The name of the setting that it comes from. */
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another process; stop that process or set another port',
  EACCES: 'is not allowed for this user; set a port above 1023',
  EADDRNOTAVAIL: 'is on an address that this machine does not have',
};

const POLL_MS = 100;

async function bindUntil(request: PortRequest, deadline: number): Promise<Hold> {
  for (;;) {
    const binding = await holdPort(request.host, request.port);
    if (!binding.taken || binding.reason !== 'EADDRINUSE' || performance.now() >= deadline) return binding;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Chooses the port for each request; 0 if it is null. All ports are held at the same time, so that no two free ones are the same, and
 * released at the end; the processes bind them a moment later. `graceMs` is how long to wait for a taken port to become free, after a start
 * whose processes were left running. Throws `StartError` with one line.
 */
export async function choosePorts<Name extends string>(
  requests: Readonly<Record<Name, PortRequest | null>>,
  graceMs: number,
): Promise<Record<Name, number>> {
  const deadline = performance.now() + graceMs;
  const chosen: Partial<Record<Name, number>> = {};
  const held = new Map<number, { setting: string; release: () => Promise<void> }>();
  try {
    for (const [name, request] of Object.entries<PortRequest | null>(requests)) {
      if (request === null) {
        chosen[name as Name] = 0;
        continue;
      }
      const other = held.get(request.port);
      const binding = await bindUntil(request, other === undefined ? deadline : 0);
      if (binding.taken && other !== undefined) throw new StartError(`${request.setting} and ${other.setting} are both ${request.port}`);
      if (binding.taken)
        throw new StartError(
          `${request.setting} ${request.port} on ${request.host} ${REASONS[binding.reason] ?? `cannot be used (${binding.reason})`}`,
        );
      held.set(binding.port, { setting: request.setting, release: binding.release });
      chosen[name as Name] = binding.port;
    }
  } finally {
    await Promise.all([...held.values()].map(({ release }) => release()));
  }
  return chosen as Record<Name, number>;
}

/** The origin at which a program on this machine reaches the host and port. */
export function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The same as people read it: with `localhost` in place of a loopback address that this name stands for. */
export function shownOriginOf(host: string, port: number): string {
  return originOf(host === '127.0.0.1' || host === '::1' ? 'localhost' : host, port);
}
