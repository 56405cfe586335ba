import { join } from 'node:path';
import t from 'tap';
import { settingOf, settingsFindings, withReadableSecrets } from '../../../deploy/doctor/settings.js';
import { engineSettings } from '../../../engine/settings.js';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { repairFault } from './repair-rule.js';

const WELL = { DATABASE_URL: 'postgres://localhost/links', SECRETS_KEYS: TEST_SECRETS_KEYS };

t.test('valid settings give one finding', async (t) => {
  t.match(settingsFindings(WELL), [{ check: 'settings', status: 'ok', text: /\d\d settings are valid; 2 of them are set/, repair: null }]);
  t.equal(settingsFindings(WELL).length, 1);
});

t.test('each missing or malformed setting is a failure of its own', async (t) => {
  const findings = settingsFindings({ ENGINE_PORT: 'x', CONTROL_PLANE_PORT: '70000', SECRETS_KEYS: 'short:AAAA' });
  t.same(findings.map(({ status, repair }) => [status, repair?.split('<')[0]]).sort(), [
    ['failure', 'CONTROL_PLANE_PORT='],
    ['failure', 'DATABASE_URL='],
    ['failure', 'ENGINE_PORT='],
    ['failure', 'SECRETS_KEYS='],
  ]);
  for (const finding of findings) t.equal(repairFault(finding), '');
  t.notMatch(JSON.stringify(findings), 'AAAA', 'a key is not shown');
});

t.test('two keys with one id are a failure', async (t) => {
  const findings = settingsFindings({ ...WELL, SECRETS_KEYS: `${TEST_SECRETS_KEYS},${TEST_SECRETS_KEYS}` });
  t.match(findings, [{ status: 'failure', text: /^SECRETS_KEYS names the key ".*" twice: /, repair: /^SECRETS_KEYS=/ }]);
});

t.test('a file of countries that cannot be used is a failure', async (t) => {
  const [finding, ...more] = settingsFindings({ ...WELL, COUNTRY_DATABASE: '/nowhere/countries.mmdb' });
  t.match(finding, {
    status: 'failure',
    text: 'COUNTRY_DATABASE "/nowhere/countries.mmdb" cannot be used: ENOENT.',
    repair: /^COUNTRY_DATABASE=/,
  });
  t.equal(finding && repairFault(finding), '');
  t.same(more, []);
});

t.test('other checks use the default of a malformed setting', async (t) => {
  t.equal(settingOf(engineSettings.dataDir, { DATA_DIR: '/x' }), '/x');
  t.equal(settingOf(engineSettings.spoolBytesMax, { SPOOL_BYTES_MAX: 'many' }), 2 * 1024 ** 3);
});

t.test('a secret is read from its file, and an unreadable file is a failure', async (t) => {
  const file = join(t.testdir({ keys: `${TEST_SECRETS_KEYS}\n` }), 'keys');
  const given = { DATABASE_URL: WELL.DATABASE_URL, SECRETS_KEYS_FILE: file };
  t.match(settingsFindings(given), [{ status: 'ok' }]);
  t.equal(withReadableSecrets(given).SECRETS_KEYS, TEST_SECRETS_KEYS);
  const missing = { ...given, SECRETS_KEYS_FILE: `${file}.not-there` };
  t.match(settingsFindings(missing), [{ status: 'failure', text: /ENOENT/, repair: /^SECRETS_KEYS=/ }]);
  t.equal(withReadableSecrets(missing).SECRETS_KEYS, undefined);
});
