import t from 'tap';
import { withFewPasswords } from '../../../../../control-plane/dashboard/screens/imports/few-passwords.js';
import { PASSWORDS_OF_BULK_MAX } from '../../../../../shared/base/limits.js';

t.test('a call takes only as many rows as the limit of passwords allows', async (t) => {
  const some = Array.from({ length: PASSWORDS_OF_BULK_MAX }, () => ['a', 'sesame']);
  const rows = [['b', ''], ...some, ['c', ''], ['d', 'sesame'], ['e', '']];
  t.equal(withFewPasswords(rows, ['path', 'password']).length, PASSWORDS_OF_BULK_MAX + 2);
  t.equal(withFewPasswords(rows, ['password', 'path']).length, PASSWORDS_OF_BULK_MAX, 'the password column is found by its name');
  t.equal(withFewPasswords(rows, ['path', 'title']), rows);
  const objects = Array.from({ length: PASSWORDS_OF_BULK_MAX + 1 }, () => ({ password: 'sesame' }));
  t.equal(withFewPasswords([null, 7, ...objects], []).length, PASSWORDS_OF_BULK_MAX + 2);
  t.equal(withFewPasswords(['{"password"', ...objects], []).length, PASSWORDS_OF_BULK_MAX + 1, 'a line that is not JSON has none');
  t.equal(
    withFewPasswords(
      objects.map((object) => JSON.stringify(object)),
      [],
    ).length,
    PASSWORDS_OF_BULK_MAX,
    'passwords in lines of NDJSON count too',
  );
});
