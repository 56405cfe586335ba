import t from 'tap';
import { findChromium } from '../../bench/load/chromium.js';

t.test('CHROMIUM_PATH goes before the usual places, and a path to nothing is an error', async (t) => {
  const exists = (path: string) => path === '/usr/bin/chromium-browser' || path === '/opt/mine';
  t.equal(findChromium({ CHROMIUM_PATH: '/opt/mine' }, exists), '/opt/mine');
  t.equal(findChromium({ CHROMIUM_PATH: '' }, exists), '/usr/bin/chromium-browser');
  t.equal(
    findChromium({}, () => false),
    null,
  );
  t.equal(
    findChromium({}, () => true),
    '/usr/bin/chromium-headless-shell',
    'a headless browser goes before a complete one',
  );
  t.throws(() => findChromium({ CHROMIUM_PATH: '/opt/none' }, exists), /CHROMIUM_PATH/);
});
