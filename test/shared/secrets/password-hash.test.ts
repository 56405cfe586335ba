import t from 'tap';
import { hashPassword, isPassword } from '../../../shared/secrets/password-hash.js';

t.test('a password is told from every other, and its hash tells nothing', async (t) => {
  const [hash, again] = [await hashPassword('Öffne dich'), await hashPassword('Öffne dich')];
  t.match(hash, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  t.not(hash, again, 'each has a salt of its own');
  t.equal(await isPassword('Öffne dich', hash), true);
  t.equal(await isPassword('O\u0308ffne dich', hash), true, 'as another keyboard writes it');
  for (const other of ['', 'öffne dich', 'Öffne dich ', hash]) t.equal(await isPassword(other, hash), false, other);
});
