import t from 'tap';
import { banner } from '../../../deploy/local/banner.js';
import type { Credentials } from '../../../deploy/local/credentials.js';

const credentials: Credentials = {
  base_url: 'http://localhost:3100/v1',
  dashboard_url: 'http://localhost:3100/dashboard/',
  test: { secret_key: 'sk_test_secret', publishable_key: 'pk_test_public', link_origin: 'http://test.localhost:8180' },
  live: { secret_key: 'sk_live_secret', publishable_key: 'pk_live_public', link_origin: 'http://live.localhost:8180' },
};
const input = {
  credentials,
  credentialsFile: '/data/credentials.json',
  databaseUrlFile: '/data/database-url',
  showsSample: true,
  showsKeys: true,
  adminUrls: ['http://127.0.0.1:9090'],
};

t.test('a first start shows every key, and curl commands that can be pasted', async (t) => {
  const text = banner({ ...input, first: true, made: ['test', 'live'] });
  for (const key of ['sk_live_secret', 'pk_test_public', 'pk_live_public']) t.equal(text.split(key).length, 2, key);
  const commands = text.split('\n').filter((line) => line.startsWith('  curl '));
  t.match(commands, [
    /^ {2}curl -s http:\/\/localhost:3100\/v1\/links .*Bearer sk_test_secret"/,
    /http:\/\/test\.localhost:8180\/hello$/,
    /iPhone/,
    /^ {2}curl -s -A Slackbot http:\/\/live\.localhost:8180\/demo\/shoes\/1$/,
  ]);
  const body = /-d '([^']*)'/.exec(commands[0] as string)?.[1] as string;
  t.equal(new Set(Object.values(JSON.parse(body).destinations)).size, 3);
});

t.test('guides and the API reference are named', async (t) => {
  t.match(banner({ ...input, first: false, made: [] }), /^ {2}http:\/\/localhost:3100\/docs {2}guides/m);
});

t.test('if the output is not a terminal, the file of the keys is named instead of the keys', async (t) => {
  const text = banner({ ...input, showsKeys: false, first: true, made: ['test', 'live'] });
  t.notMatch(text, /[sp]k_(test|live)_/);
  t.match(text, /^The keys are in \/data\/credentials\.json\.$/m);
  t.match(text, /Bearer \$\(node -p .*\/data\/credentials\.json/);
});

t.test('a later start shows no key, and its command reads the key from the file', async (t) => {
  const text = banner({ ...input, first: false, made: [] });
  t.notMatch(text, /[sp]k_(test|live)_/);
  t.match(text, /Bearer \$\(node -p .*\/data\/credentials\.json/);
  t.match(text, /is running again/);
  t.match(text, / http:\/\/localhost:3100\/dashboard\/$/m);
});

t.test('keys that replace lost ones are shown, with the reason', async (t) => {
  const text = banner({ ...input, first: false, made: ['live'] });
  t.match(text, /sk_live_secret/);
  t.notMatch(text, /sk_test_secret/);
  t.match(text, /were lost or belong to another database/);
});

t.test('without a sample item no command for its card is shown', async (t) => {
  t.notMatch(banner({ ...input, first: false, made: [], showsSample: false }), /Slackbot/);
});

t.test('the command for linkd is shown with the database that it works on', async (t) => {
  t.match(
    banner({ ...input, first: true, made: [] }),
    /DATABASE_URL=\$\(cat '\/data\/database-url'\) node dist\/deploy\/command-line\/linkd\.js --help/,
  );
  t.match(banner({ ...input, databaseUrlFile: null, first: true, made: [] }), /^ {2}node dist\/deploy\/command-line\/linkd\.js/m);
});
