import t from 'tap';
import { Client } from 'undici';
import { canSharePort } from '../../../engine/http/shared-port.js';
import { UWS_MISSING } from '../../support/uws.js';
import { serve } from '../visit/served.js';

t.test('the listener is of the configured kind', { skip: UWS_MISSING }, async (t) => {
  for (const kind of ['uws', 'node'] as const) {
    const served = await serve(kind);
    t.teardown(() => served.stop());
    const client = new Client(`http://127.0.0.1:${served.port}`);
    const { headers, body } = await client.request({ method: 'GET', path: '/none' });
    await body.dump();
    await client.close();
    // node:http announces how long it keeps a connection open; uWebSockets.js does not.
    t.equal('keep-alive' in headers, kind === 'node', kind);
  }
});

t.test('a port in use is refused with an error', async (t) => {
  const { createServer } = await import('node:net');
  const { listenNode } = await import('../../../engine/http/listen-node.js');
  const { listenUws, loadUws } = await import('../../../engine/http/listen-uws.js');
  const { silentLog } = await import('../fixtures.js');
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  const options = {
    host: '127.0.0.1',
    port,
    countryHeader: '',
    regionHeader: '',
    cityHeader: '',
    honoursOptOut: false,
    handle: () => {},
    log: silentLog,
  };
  await t.rejects(listenNode(options));
  const uws = await loadUws(silentLog);
  if (uws === null) t.comment('uWebSockets.js has no binary for this system');
  else await t.rejects(listenUws(uws, options));
});

t.test('node:http shares a port from Node.js 22.12 on, uWebSockets.js always does', async (t) => {
  t.same(
    ['20.18.0', '22.11.0', '22.12.0', '24.0.0'].map((version) => canSharePort('node', version)),
    [false, false, true, true],
  );
  t.equal(canSharePort('uws', '20.18.0'), true);
});
