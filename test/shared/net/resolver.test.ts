import t from 'tap';
import { bothFamilies } from '../../../shared/net/resolver.js';

const never = new Promise<readonly string[]>(() => {});
const answer = (...addresses: string[]) => Promise.resolve(addresses);
const failure = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const WAIT_MS = 20;

t.test('addresses of both families are returned, IPv4 first, or those of the only family that a name has', async (t) => {
  t.same(await bothFamilies(answer('192.0.2.1', '192.0.2.2'), answer('2001:db8::1'), WAIT_MS), ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  t.same(await bothFamilies(answer('192.0.2.1'), failure('ENODATA'), WAIT_MS), ['192.0.2.1']);
  t.same(await bothFamilies(failure('ENODATA'), answer('2001:db8::1'), WAIT_MS), ['2001:db8::1']);
});

t.test('a family whose query is never answered is not waited for', async (t) => {
  t.same(await bothFamilies(answer('192.0.2.1'), never, WAIT_MS), ['192.0.2.1']);
  t.same(await bothFamilies(never, answer('2001:db8::1'), WAIT_MS), ['2001:db8::1']);
});

t.test('a family that is answered a little later is waited for', async (t) => {
  const later = new Promise<readonly string[]>((resolve) => setTimeout(() => resolve(['2001:db8::1']), WAIT_MS));
  t.same(await bothFamilies(answer('192.0.2.1'), later, 60_000), ['192.0.2.1', '2001:db8::1']);
});

t.test('a name with neither fails with the error of its IPv4 query', async (t) => {
  await t.rejects(bothFamilies(failure('ENOTFOUND'), failure('ENODATA'), WAIT_MS), { code: 'ENOTFOUND' });
});
