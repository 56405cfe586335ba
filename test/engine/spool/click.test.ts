import t from 'tap';
import { splitPlatformVersion, splitRegion, withPlatformVersion, withRegion } from '../../../engine/spool/click.js';

t.test("a click's user agent carries the version of a client hint, and gives both back", async (t) => {
  for (const [user_agent, platform_version] of [
    ['Mozilla/5.0 (Linux; Android 10; K)', '14'],
    ['Mozilla/5.0', ''],
    ['', '14.1'],
    ['', ''],
  ] as const)
    t.same(splitPlatformVersion(withPlatformVersion(user_agent, platform_version)), { user_agent, platform_version });
});

t.test("a click's country carries region and city, and gives all of them back; without a country none counts", async (t) => {
  for (const [country, region, city] of [
    ['DE', 'BE', 'Berlin'],
    ['DE', '', 'Berlin'],
    ['DE', 'BE', ''],
    ['DE', '', ''],
    ['', '', ''],
  ] as const)
    t.same(splitRegion(withRegion(country, region, city)), { country, region, city });
  t.equal(withRegion('DE', '', ''), 'DE');
  t.equal(withRegion('', 'BE', 'Berlin'), '');
});
