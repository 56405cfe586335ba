import t from 'tap';
import { assertCredentialsStaySecret } from '../../support/echoing-apis.js';

t.test('no configuration and no API that repeats its request shows a credential or sends it elsewhere than it was given for', (t) =>
  assertCredentialsStaySecret(t, 1200),
);
