import { tryPort } from '../../shared/base/free-port.js';

/** A port of this machine that is free at the moment. */
export async function freePort(): Promise<number> {
  const binding = await tryPort('127.0.0.1', 0);
  if (binding.taken) throw new Error(binding.reason);
  return binding.port;
}
