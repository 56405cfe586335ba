import t from 'tap';
import { canSharePort } from '../../../engine/http/shared-port.js';
import { chooseListener, uwsLoads } from '../../../engine/supervisor/listener-choice.js';
import { createLogger } from '../../../shared/base/log.js';
import { UWS_MISSING } from '../../support/uws.js';

const log = createLogger('test', 'silent');
const nodeShares = canSharePort('node');

t.test('uWebSockets.js serves from as many processes as configured', async (t) => {
  t.same(await chooseListener({ listener: 'uws', processes: 4 }, async () => true, log), { kind: 'uws', processes: 4, sharesPort: true });
});

t.test('without uWebSockets.js, and if node:http is configured, there are as many processes as can share the port', async (t) => {
  const expected = { kind: 'node', processes: nodeShares ? 4 : 1, sharesPort: nodeShares };
  t.same(await chooseListener({ listener: 'uws', processes: 4 }, async () => false, log), expected);
  const probe = () => Promise.reject(new Error('there is nothing to probe for node:http'));
  t.same(await chooseListener({ listener: 'node', processes: 4 }, probe, log), expected);
});

t.test('the probe loads the binary of this system', { skip: UWS_MISSING }, async (t) => {
  t.equal(await uwsLoads(), true);
});
