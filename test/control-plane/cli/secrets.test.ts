import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createPool } from '../../../control-plane/db/database.js';
import { parseSecretKeys, unseal, webhookSecretPlace } from '../../../shared/secrets/seal.js';
import { send } from '../../api/api-client.js';
import { startApiServer } from '../../api/api-server.js';
import { commandLine } from './command-line.js';

const LINKD = fileURLToPath(new URL('../../../../control-plane/cli/linkd.mjs', import.meta.url));
const OLD = `k1:${randomBytes(32).toString('base64')}`;
const NEW = `k2:${randomBytes(32).toString('base64')}`;

t.test('secrets rotate encrypts secrets with the first key, after which the old key is not needed', async (t) => {
  const api = await startApiServer(t, { secretKeys: parseSecretKeys(OLD) });
  const body = { url: 'https://hooks.example.com/', events: ['link.created'] };
  const { id, secret } = (await send(api.baseUrl, 'POST /webhooks', { key: api.liveKey, body })).json;
  const rotate = (keys: string) => commandLine(t, api.databaseUrl, keys).json('secrets rotate');
  t.match(await rotate(NEW), {
    status: 1,
    value: { resealed: 0, unreadable: [`webhook_endpoints/${id}/secret`] },
    stderr: /could not be decrypted/,
  });
  t.match(await rotate(`${NEW},${OLD}`), { status: 0, value: { resealed: 1, unreadable: [] } });
  t.match(await rotate(NEW), { status: 0, value: { resealed: 0, unreadable: [] } });
  const pool = createPool(api.databaseUrl, 1, 'test', () => {});
  t.teardown(() => pool.end());
  const { rows } = await pool.query<{ secret: Buffer }>('SELECT secret FROM webhook_endpoints');
  t.equal(unseal(parseSecretKeys(NEW), webhookSecretPlace(id), rows[0]?.secret as Buffer), secret);
});

t.test('missing and malformed keys are reported in one line', async (t) => {
  const api = await startApiServer(t);
  t.match(await commandLine(t, api.databaseUrl, 'nonsense').run('secrets rotate'), { status: 2, stderr: /^linkd: .+\n$/ });
  // Only a process of its own reads the settings of the environment.
  const rotate = (environment: NodeJS.ProcessEnv) => {
    const { SECRETS_KEYS: _, ...rest } = process.env;
    const env = { ...rest, DATABASE_URL: api.databaseUrl, ...environment };
    const { status, stdout, stderr } = spawnSync(process.execPath, [LINKD, 'secrets', 'rotate'], { encoding: 'utf8', env });
    return { status, stdout, stderr };
  };
  for (const missing of [{}, { SECRETS_KEYS: '' }])
    t.match(rotate(missing), { status: 2, stdout: '', stderr: /^linkd: SECRETS_KEYS is missing: .+\n$/ });
  t.match(
    rotate({ SECRETS_KEYS: `${OLD},${OLD}` }),
    { status: 2, stdout: '', stderr: /^linkd: SECRETS_KEYS names the key "k1" twice: .+\n$/ },
    'a rotation to a key with the id of the old one would seal with the old one',
  );
  t.match(rotate({ SECRETS_KEYS: NEW }), { status: 0, stderr: '' }, 'nothing else is missing');
});
