import t from 'tap';
import { describeSettings, flag, integer, list, oneOf, readSettings, SettingError, text } from '../../../shared/base/settings.js';

const TABLE = {
  port: { name: 'PORT', help: 'port to listen on', fallback: '80', parse: integer(0, 65535) },
  mode: { name: 'MODE', help: 'how', fallback: 'fast', parse: oneOf(['fast', 'slow']) },
  names: { name: 'NAMES', help: 'who', fallback: '', parse: list(text) },
  on: { name: 'ON', help: 'whether', fallback: 'true', parse: flag },
  key: { name: 'KEY', help: 'secret key', fallback: null, parse: text },
} as const;

t.test('an absent or empty setting gets its default', async (t) => {
  const expected = { port: 80, mode: 'fast', names: [], on: true, key: 'k' };
  t.strictSame(readSettings(TABLE, { KEY: 'k' }), expected);
  t.strictSame(readSettings(TABLE, { KEY: 'k', PORT: '', MODE: '', NAMES: '', ON: '' }), expected);
});

t.test('a given value is parsed', async (t) => {
  t.strictSame(readSettings(TABLE, { PORT: '0', MODE: 'slow', NAMES: ' a, b ,,c', ON: 'false', KEY: 'k' }), {
    port: 0,
    mode: 'slow',
    names: ['a', 'b', 'c'],
    on: false,
    key: 'k',
  });
});

t.test('a missing or malformed setting is named, in one line', async (t) => {
  const cases: [NodeJS.ProcessEnv, string][] = [
    [{}, 'KEY is missing: secret key'],
    [{ KEY: '' }, 'KEY is missing: secret key'],
    [{ PORT: '65536' }, 'PORT is malformed: expected a whole number from 0 to 65535, got "65536"'],
    [{ PORT: '1.5' }, 'PORT is malformed: expected a whole number from 0 to 65535, got "1.5"'],
    [{ PORT: '0x10' }, 'PORT is malformed: expected a whole number from 0 to 65535, got "0x10"'],
    [{ PORT: ' 80' }, 'PORT is malformed: expected a whole number from 0 to 65535, got " 80"'],
    [{ MODE: 'Fast' }, 'MODE is malformed: expected one of fast, slow, got "Fast"'],
    [{ ON: '1' }, 'ON is malformed: expected one of true, false, got "1"'],
  ];
  for (const [environment, message] of cases) t.throws(() => readSettings(TABLE, environment), new SettingError(message));
});

t.test('an error in the parser itself is not reported as a malformed value', async (t) => {
  const broken = {
    x: {
      name: 'X',
      help: 'x',
      fallback: 'x',
      parse: () => {
        throw new TypeError('bug');
      },
    },
  };
  t.throws(() => readSettings(broken, {}), new TypeError('bug'));
});

t.test('help has one line per setting, and the last table decides its text', async (t) => {
  const lines = describeSettings([TABLE, { key: { ...TABLE.key, help: 'made where absent', fallback: '' } }]).split('\n');
  t.strictSame(lines, [
    '  PORT   port to listen on (80)',
    '  MODE   how (fast)',
    '  NAMES  who',
    '  ON     whether (true)',
    '  KEY    made where absent',
  ]);
  t.match(describeSettings([TABLE]), /KEY {4}secret key \(required\)/);
});

t.test('help says that a secret can be read from a file', async (t) => {
  t.match(
    describeSettings([{ key: { ...TABLE.key, secret: true } }]),
    /KEY {2}secret key; or KEY_FILE: a file that contains it \(required\)/,
  );
});
