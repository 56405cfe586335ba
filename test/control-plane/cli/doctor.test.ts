import t from 'tap';
import { createDatabase } from '../../support/database.js';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { commandLine } from './command-line.js';

const own = await createDatabase();
t.teardown(() => own.drop());

t.test('without a failure doctor ends with 0 and prints its findings', async (t) => {
  const { run, json } = commandLine(t, own.url, TEST_SECRETS_KEYS);
  const { status, value } = await json('doctor --control-planes 1 --engines 1');
  t.equal(status, 0, JSON.stringify(value));
  for (const finding of value) t.match(finding, { check: String, status: /^(ok|warning|unchecked)$/, text: String });
  const text = await run('doctor --engines 1');
  t.equal(text.stderr, '');
  t.match(text.stdout, /^ok {9}schema +The schema is that of this release\.$/m);
});

t.test('with a failure doctor ends with 1 and prints the repair', async (t) => {
  const { run, json } = commandLine(t, 'postgres://postgres@127.0.0.1:1/none', TEST_SECRETS_KEYS);
  t.match(await run('doctor'), {
    status: 1,
    stderr: 'linkd: 1 check has failed\n',
    stdout: /FAILURE {4}database +PostgreSQL cannot be reached.*\n +-> DATABASE_URL/,
  });
  t.match(await json('doctor --outbound http://127.0.0.1/'), { status: 1, stderr: 'linkd: 2 checks have failed\n' });
});

t.test('malformed numbers and URLs are a wrong command line, and the help needs no database', async (t) => {
  const { run } = commandLine(t, '');
  for (const wrong of ['--engines 0', '--engines x', '--control-planes 1.5', '--engines 10001'])
    t.match(await run(`doctor ${wrong}`), { status: 2, stderr: /whole number from 1/ }, wrong);
  for (const wrong of ['ftp://example.com/', 'example.com', 'https://'])
    t.match(await run(`doctor --outbound ${wrong}`), { status: 2, stderr: /expected a URL/, stdout: '' }, wrong);
  t.match(await run('doctor --help'), { status: 0, stdout: /Examples:\n {2}linkd doctor/ });
});
