import t from 'tap';
import { assertCredentialsStaySecret } from '../support/echoing-apis.js';

t.test('0 of 10,000 configurations and echoing APIs show a credential or send it elsewhere than it was given for (promise A10)', (t) =>
  assertCredentialsStaySecret(t, 10_000),
);
