import t from 'tap';
import { hashPassword, isPassword } from '../../../shared/secrets/password-hash.js';

t.test('a hash accepts only its own password, and equal passwords have different hashes', async (t) => {
  const [hash, again] = [await hashPassword('Öffne dich'), await hashPassword('Öffne dich')];
  t.match(hash, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  t.not(hash, again, 'each hash has its own salt');
  t.equal(await isPassword('Öffne dich', hash), true);
  t.equal(await isPassword('O\u0308ffne dich', hash), true, 'the same text in another Unicode form');
  for (const other of ['', 'öffne dich', 'Öffne dich ', hash]) t.equal(await isPassword(other, hash), false, other);
});
