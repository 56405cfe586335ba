import t from 'tap';
import { RateLimiter } from '../../../control-plane/http/rate-limit.js';
import { RATE_WINDOWS_MAX } from '../../../shared/base/limits.js';
import { addressOfLimit } from '../../../shared/net/address.js';

t.test('beyond the maximum of kept windows the oldest one is forgotten', async (t) => {
  const limit = new RateLimiter(2, () => 1_000);
  limit.count('first');
  limit.count('first');
  t.notOk(limit.count('first').allowed);
  for (let index = 0; index < RATE_WINDOWS_MAX - 1; index++) limit.count(`a${index}`);
  t.notOk(limit.count('first').allowed, 'the window is kept up to the maximum');
  limit.count('one more');
  t.ok(limit.count('first').allowed);
  t.notOk(limit.count('one more').allowed && limit.count('one more').allowed);
});

t.test('expired windows are removed before others', async (t) => {
  let now = 0;
  const limit = new RateLimiter(1, () => now);
  limit.count('old');
  now = 30_000;
  limit.count('young');
  now = 60_000;
  limit.count('new');
  t.notOk(limit.count('young').allowed);
  t.ok(limit.count('old').allowed, 'the expired window was removed');
});

t.test('an IPv6 address counts as its network, and other text counts as it is', async (t) => {
  t.equal(addressOfLimit('2001:db8::1'), addressOfLimit('2001:db8:0:0:ffff::'));
  t.not(addressOfLimit('2001:db8::1'), addressOfLimit('2001:db8:0:1::1'));
  t.equal(addressOfLimit('192.0.2.1'), addressOfLimit('::ffff:192.0.2.1'));
  t.not(addressOfLimit('192.0.2.1'), addressOfLimit('192.0.2.2'));
  t.equal(addressOfLimit(''), '');
});

t.test('a caller that has reached its limit is refused without being counted until the minute ends', async (t) => {
  let now = 0;
  const limit = new RateLimiter(2, () => now);
  t.equal(limit.spent('a'), null);
  limit.count('a');
  t.equal(limit.spent('a'), null);
  limit.count('a');
  t.match(limit.spent('a'), { allowed: false, retryAfterSeconds: 60 });
  limit.giveBack('a');
  t.equal(limit.spent('a'), null, 'a returned request does not count');
  limit.count('a');
  now = 60_000;
  t.equal(limit.spent('a'), null);
});
