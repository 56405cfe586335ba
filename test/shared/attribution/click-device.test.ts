import t from 'tap';
import { mayBeTablet, readClickDevice } from '../../../shared/attribution/click-device.js';
import { newId } from '../../../shared/base/ids.js';
import { recogniseVisitor } from '../../../shared/resolve/recognise-visitor.js';
import { ANDROID, DESKTOP, IPHONE } from '../../engine/fixtures.js';
import fc from '../../support/properties.js';
import { CHROME, SAFARI } from '../../support/visitor.js';

const clickId = newId('click');
const read = (query: string, userAgent = CHROME) => readClickDevice(query, recogniseVisitor(userAgent), userAgent);
const device = (query: string, userAgent?: string) => read(`click_id=${clickId}&${query}`, userAgent)?.device;

t.test('Chrome on Android reports its version and model', async (t) => {
  const report = { clickId, device: { platform: 'android', os_version: '14', model: 'Pixel 8' } };
  t.same(read(`click_id=${clickId}&version=14.0.0&model=Pixel%208`), report);
  t.match(device('version=12.1&model='), { os_version: '12.1', model: '' });
  t.match(device('version=14&model=K'), { os_version: '14', model: '' }, 'a placeholder for all models does not count as a model');
  t.match(device('version=14&model=+SM-A536B+'), { model: 'SM-A536B' });
});

t.test('an iPad that poses as a Mac is recognised by its touch points, with the version of its Safari', async (t) => {
  t.same(device('touch=5', SAFARI), { platform: 'ios', os_version: '17.5', model: '' });
  for (const query of ['', 'touch=0', 'touch=1', 'touch=', 'touch=-5', 'touch=5e3', 'touch=9999', 'version=14'])
    t.equal(device(query, SAFARI), undefined, query);
});

t.test('a report is ignored if the request itself says everything', async (t) => {
  for (const userAgent of [ANDROID, IPHONE, DESKTOP, '', 'facebookexternalhit/1.1', `${CHROME} Googlebot/2.1`])
    t.equal(device('version=14.0.0&model=Pixel%208&touch=5', userAgent), undefined, userAgent);
  const chromeOnMac = DESKTOP.replace('Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7');
  t.notOk(mayBeTablet(recogniseVisitor(chromeOnMac), chromeOnMac), 'Chrome on an iPad says that it is one');
});

t.test('a report that no page of the service can send is ignored', async (t) => {
  for (const query of [
    '',
    'version=',
    'version=0',
    'version=14a',
    'version=9999999',
    'version=1.2.3.4.5',
    'version=%2214%22',
    'Version=14',
  ])
    t.equal(device(query), undefined, query);
  for (const query of [
    '',
    'version=14',
    `version=14&click_id=${clickId}`,
    'click_id=clk_1&version=14',
    `click_id=${newId('link')}&version=14`,
  ])
    t.equal(read(query), null, query);
  t.equal(device(`version=14&model=${'x'.repeat(600)}`), undefined, 'a very long query');
  for (const model of ['x'.repeat(65), 'a%00b', 'a%0Ab', '%E4', '%ff%fe', '%F0%9F%98%80', 'a%7f'])
    t.match(device(`version=14&model=${model}`), { os_version: '14', model: '' }, model);
});

t.test('no text of a query causes an error or a value beyond its limit', async (t) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600, unit: 'binary' }), fc.constantFrom(CHROME, SAFARI), (text, userAgent) => {
      const found = device(text, userAgent);
      return found === undefined || (found.os_version.length <= 27 && found.model.length <= 64);
    }),
  );
  t.pass();
});
