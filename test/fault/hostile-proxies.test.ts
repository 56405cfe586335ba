import t from 'tap';
import { startEngines } from '../deploy/engines.js';
import { hasProxy, PROXY_KINDS, startProxy } from '../support/proxies.js';
import { attackThroughProxy, visitBesideHostileRows } from './proxy-scenarios.js';

const VISITS = 177;

for (const kind of PROXY_KINDS) {
  t.test(`promise R19: none of ${VISITS} visits through ${kind} is lost while every hostile request of the table is sent`, async (t) => {
    if (!hasProxy(t, kind)) return;
    const engines = await startEngines(t);
    const proxy = await startProxy(
      t,
      kind,
      engines.map(({ port }) => port),
    );
    const lost = await visitBesideHostileRows(proxy, VISITS);
    t.comment(`${lost} of ${VISITS} visits were lost`);
    t.equal(lost, 0);
  });

  t.test(`promises R9 and R19: a million hostile requests through ${kind} lose no visit and end no engine`, async (t) => {
    if (hasProxy(t, kind)) await attackThroughProxy(t, kind, { requests: 1_000_000, visits: VISITS });
  });
}
