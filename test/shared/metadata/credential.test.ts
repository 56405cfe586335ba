import t from 'tap';
import { assertCredentialsStaySecret } from '../../support/echoing-apis.js';

t.test('no configuration shows a credential or sends it to another target, even if the API repeats its request', (t) =>
  assertCredentialsStaySecret(t, 1200),
);
