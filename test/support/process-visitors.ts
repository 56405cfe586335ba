import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createVisitor, type Visitor } from './visitor.js';

/** Returns the inode of the server's end of the connection that has this client port; proc_net_tcp(5). */
function serverInode(serverPort: number, clientPort: number): string | null {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['tcp', 'tcp6'])
    for (const line of readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(`:${hex(serverPort)}`) && fields[2]?.endsWith(`:${hex(clientPort)}`)) return fields[9] ?? null;
    }
  return null;
}

function holds(pid: number, inode: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`) === `socket:[${inode}]`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // closed since it was listed
      throw error;
    }
  });
}

/** Connections that may be opened before every process has one: with two processes, 64 to the same one are no accident. */
const CONNECTIONS_MAX = 64;

/**
 * Returns one visitor for each process. The kernel gives a new connection to any of the processes that share the port,
 * so connections are opened until each has one. `path` is what they request first.
 */
export async function visitorPerProcess(
  server: { readonly port: number; readonly host: string; readonly path: string },
  pids: readonly number[],
): Promise<ReadonlyMap<number, Visitor>> {
  const found = new Map<number, Visitor>();
  for (let opened = 0; opened < CONNECTIONS_MAX && found.size < pids.length; opened++) {
    const visitor = createVisitor(server.port, server.host);
    await visitor.visit(server.path);
    const inode = serverInode(server.port, visitor.localPort());
    const pid = inode === null ? undefined : pids.find((candidate) => holds(candidate, inode));
    if (pid === undefined || found.has(pid)) visitor.close();
    else found.set(pid, visitor);
  }
  if (found.size < pids.length) throw new Error(`${CONNECTIONS_MAX} connections came to ${found.size} of ${pids.length} processes`);
  return found;
}
