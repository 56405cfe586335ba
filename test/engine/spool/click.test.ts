import t from 'tap';
import { splitPlatformVersion, withPlatformVersion } from '../../../engine/spool/click.js';

t.test("a click's user agent carries the version of a client hint, and gives both back", async (t) => {
  for (const [user_agent, platform_version] of [
    ['Mozilla/5.0 (Linux; Android 10; K)', '14'],
    ['Mozilla/5.0', ''],
    ['', '14.1'],
    ['', ''],
  ] as const)
    t.same(splitPlatformVersion(withPlatformVersion(user_agent, platform_version)), { user_agent, platform_version });
});
