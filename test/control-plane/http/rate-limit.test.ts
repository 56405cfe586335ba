import t from 'tap';
import { addressOfLimit, createRateLimiter } from '../../../control-plane/http/rate-limit.js';
import { RATE_WINDOWS_MAX } from '../../../shared/base/limits.js';

t.test('whoever calls from more addresses than are kept makes the oldest be forgotten, and takes no more memory', async (t) => {
  const limit = createRateLimiter(2, () => 1_000);
  limit('first');
  limit('first');
  t.notOk(limit('first').allowed);
  for (let index = 0; index < RATE_WINDOWS_MAX - 1; index++) limit(`a${index}`);
  t.notOk(limit('first').allowed, 'as many as are kept');
  limit('one more');
  t.ok(limit('first').allowed);
  t.notOk(limit('one more').allowed && limit('one more').allowed);
});

t.test('windows that are over make room first', async (t) => {
  let now = 0;
  const limit = createRateLimiter(1, () => now);
  limit('old');
  now = 30_000;
  limit('young');
  now = 60_000;
  limit('new');
  t.notOk(limit('young').allowed);
  t.ok(limit('old').allowed, 'its window is over');
});

t.test('an address counts as its network; what is no address counts as it is', async (t) => {
  t.equal(addressOfLimit('2001:db8::1'), addressOfLimit('2001:db8:0:0:ffff::'));
  t.not(addressOfLimit('2001:db8::1'), addressOfLimit('2001:db8:0:1::1'));
  t.equal(addressOfLimit('192.0.2.1'), addressOfLimit('::ffff:192.0.2.1'));
  t.not(addressOfLimit('192.0.2.1'), addressOfLimit('192.0.2.2'));
  t.equal(addressOfLimit(''), '');
});
