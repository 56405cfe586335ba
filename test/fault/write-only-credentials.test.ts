import t from 'tap';
import { assertCredentialsStaySecret } from '../support/echoing-apis.js';

t.test('none of 10,000 configurations and echoing APIs shows a credential or sends it to another destination (promise A10)', (t) =>
  assertCredentialsStaySecret(t, 10_000),
);
