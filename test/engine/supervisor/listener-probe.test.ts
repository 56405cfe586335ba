import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { ListenerProbe, PROBE_DEADLINE_MS, PROBE_INTERVAL_MS } from '../../../engine/supervisor/listener-probe.js';
import { manualTimers } from '../../support/manual-scheduler.js';
import { until } from '../../support/until.js';

async function probed(t: Test, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const timers = manualTimers();
  const { port } = server.address() as AddressInfo;
  const probe = new ListenerProbe({ port, host: '0.0.0.0', schedule: timers.schedule, now: timers.now });
  probe.start();
  t.teardown(() => probe.stop());
  const upTo = (bound: number | '+Inf') => probe.histogram().find(({ le }) => le === bound)?.probes;
  return { timers, probe, server, upTo };
}

t.test('once a second the port is probed as a visitor would ask, and the time counts in its bucket and all higher ones', async (t) => {
  const paths: (string | undefined)[] = [];
  const { timers, probe, upTo } = await probed(t, (request, response) => {
    paths.push(request.url);
    timers.advance(30);
    response.end('ok');
  });
  timers.advance(PROBE_INTERVAL_MS);
  await until(() => probe.stats().probes === 1, 'the first answer');
  timers.advance(PROBE_INTERVAL_MS - 30);
  await until(() => probe.stats().probes === 2, 'the second answer');
  t.same(paths, ['/health/live', '/health/live']);
  t.same([upTo(0.025), upTo(0.05), upTo(2.5), upTo('+Inf')], [0, 2, 2, 2]);
  t.same(probe.stats(), { probes: 2, failures: 0, seconds: 0.06 });
});

t.test('a listener that does not answer is probed on, and each such probe counts as a failure above every bucket', async (t) => {
  const { timers, probe, upTo } = await probed(t, () => {});
  for (let elapsedMs = 0; elapsedMs < PROBE_DEADLINE_MS + 2 * PROBE_INTERVAL_MS; elapsedMs += PROBE_INTERVAL_MS)
    timers.advance(PROBE_INTERVAL_MS);
  t.match(probe.stats(), { probes: 2, failures: 2 }, 'the first two probes are over, the others wait');
  t.same([upTo(2.5), upTo('+Inf')], [0, 2]);
});

t.test('a port without a listener is a failure, and so is an answer with an error', async (t) => {
  const { timers, probe, server } = await probed(t, (_, response) => response.writeHead(500).end());
  timers.advance(PROBE_INTERVAL_MS);
  await until(() => probe.stats().failures === 1, 'the error');
  await new Promise((resolve) => server.close(resolve));
  timers.advance(PROBE_INTERVAL_MS);
  await until(() => probe.stats().failures === 2, 'the refusal');
  probe.stop();
  timers.advance(10 * PROBE_INTERVAL_MS);
  t.equal(probe.stats().probes, 2, 'no probe after the stop');
});
