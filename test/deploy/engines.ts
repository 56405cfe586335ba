import type { Test } from 'tap';
import type { ListenerKind } from '../../engine/http/listener.js';
import { RENDERED_URL_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { AddressRanges } from '../../shared/net/address-ranges.js';
import { linkRecord, NO_DESTINATIONS } from '../engine/fixtures.js';
import { type Served, serve } from '../engine/visit/served.js';

/** The `Location` of this link is as long as any: a destination at its bound, and UTM fields whose characters are escaped to twelve. */
const longText = '\u{1f600}'.repeat(255);
const LONGEST = linkRecord({
  allow_param_passthrough: true,
  destinations: { ...NO_DESTINATIONS, web: `https://destination.example/${'a'.repeat(RENDERED_URL_CHARACTERS_MAX - 28)}` },
  utm: { utm_source: longText, utm_medium: longText, utm_campaign: longText, utm_term: longText, utm_content: longText },
});

/** An engine behind a proxy on this machine, with two links. */
export async function startEngine(t: Test, listener: ListenerKind): Promise<Served> {
  const engine = await serve(listener, { trustedProxies: AddressRanges.parse(['127.0.0.1']) });
  t.teardown(() => engine.stop());
  engine.links.set('abc', linkRecord());
  engine.links.set('longest', LONGEST);
  return engine;
}

/** Starts one engine with each listener. */
export async function startEngines(t: Test): Promise<readonly [Served, Served]> {
  return [await startEngine(t, 'uws'), await startEngine(t, 'node')];
}
