import t from 'tap';
import { askDns } from '../../../control-plane/domains/ask-dns.js';

t.test('errors of DNS are answers, and errors of the program are thrown', async (t) => {
  const failing = (code: string) => askDns([], async () => Promise.reject(Object.assign(new Error(code), { code })));
  t.same(await askDns([], async () => 7), { kind: 'answered', records: 7 });
  for (const code of ['ENODATA', 'ENOTFOUND']) t.same(await failing(code), { kind: 'none' }, code);
  for (const code of ['ESERVFAIL', 'ETIMEOUT', 'ECANCELLED']) t.same(await failing(code), { kind: 'failed', code }, code);
  await t.rejects(failing('ERR_INVALID_ARG_TYPE'));
  await t.rejects(
    askDns([], async () => Promise.reject(new Error('a fault of ours'))),
    { message: 'a fault of ours' },
  );
});
