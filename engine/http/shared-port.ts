import type { ListenerKind } from './listener.js';

/** Whether several processes can listen on one port: `node:http` can from Node.js 22.12 on. */
export function canSharePort(kind: ListenerKind, nodeVersion: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  return kind === 'uws' || major > 22 || (major === 22 && minor >= 12);
}
