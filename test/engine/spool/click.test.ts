import t from 'tap';
import { splitPlatformVersion, splitRegion, withPlatformVersion, withRegion } from '../../../engine/spool/click.js';

t.test("the version from a client hint is stored in a click's user agent, and both can be read back", async (t) => {
  for (const [user_agent, platform_version] of [
    ['Mozilla/5.0 (Linux; Android 10; K)', '14'],
    ['Mozilla/5.0', ''],
    ['', '14.1'],
    ['', ''],
  ] as const)
    t.same(splitPlatformVersion(withPlatformVersion(user_agent, platform_version)), { user_agent, platform_version });
});

t.test("region and city are stored in a click's country, and all can be read back; without a country neither is stored", async (t) => {
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
