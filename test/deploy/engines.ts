import type { Test } from 'tap';
import type { ListenerKind } from '../../engine/http/listener.js';
import { AddressRanges } from '../../shared/net/address-ranges.js';
import { linkRecord } from '../engine/fixtures.js';
import { type Served, serve } from '../engine/visit/served.js';

/** An engine behind a proxy on this machine, with one link. */
export async function startEngine(t: Test, listener: ListenerKind): Promise<Served> {
  const engine = await serve(listener, { trustedProxies: AddressRanges.parse(['127.0.0.1']) });
  t.teardown(() => engine.stop());
  engine.links.set('abc', linkRecord());
  return engine;
}

/** Starts one engine with each listener. */
export async function startEngines(t: Test): Promise<readonly [Served, Served]> {
  return [await startEngine(t, 'uws'), await startEngine(t, 'node')];
}
