import { randomBytes } from 'node:crypto';
import t from 'tap';
import { rotateSecrets } from '../../../control-plane/secrets/rotate.js';
import { newId } from '../../../shared/base/ids.js';
import { metadataSecretPlace, parseSecretKeys, seal, sealedKeyId, unseal, webhookSecretPlace } from '../../../shared/secrets/seal.js';
import { makeEndpoint, makeEnvironment } from '../../support/click-log.js';
import { insertMetadataApi } from '../../support/metadata-api.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { insertResourceType } from '../../support/resource-type.js';

const { client, database } = await openPooledDatabase(t);

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
// One id is a prefix of the other: what is sealed with "k1" must not be taken for "k".
const [older, old, fresh] = [key('k1'), key('old'), key('k')];
const before = parseSecretKeys(`${old},${older}`);
const after = parseSecretKeys(`${fresh},${old},${older}`);

const environment = await makeEnvironment(client);

async function makeWebhook(secret: Buffer, previous: Buffer | null): Promise<string> {
  const id = await makeEndpoint(client, environment.id, ['link.created']);
  await client.query('UPDATE webhook_endpoints SET secret = $2, previous_secret = $3 WHERE id = $1', [id, secret, previous]);
  return id;
}

async function makeMetadataApi(secretOf: (id: string) => Buffer): Promise<string> {
  const resourceTypeId = await insertResourceType(database, environment.id, `t${newId('metadataApi').slice(5)}`);
  return insertMetadataApi(database, { environmentId: environment.id, resourceTypeId, secretOf });
}

interface Stored {
  readonly id: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
}

const webhooks = async () => (await client.query<Stored>('SELECT id, secret, previous_secret FROM webhook_endpoints ORDER BY id')).rows;
const apis = async () => (await client.query<Stored>('SELECT id, secret, NULL AS previous_secret FROM metadata_apis ORDER BY id')).rows;

t.test('every encrypted column is encrypted with the current key, in batches and with its content unchanged', async (t) => {
  for (let at = 0; at < 7; at++) {
    const id = await makeWebhook(Buffer.of(0), null);
    const keys = at % 2 === 0 ? before : parseSecretKeys(older);
    await client.query('UPDATE webhook_endpoints SET secret = $2, previous_secret = $3 WHERE id = $1', [
      id,
      seal(keys, webhookSecretPlace(id), `secret of ${id}`),
      at < 3 ? seal(keys, webhookSecretPlace(id), `previous of ${id}`) : null,
    ]);
  }
  for (let at = 0; at < 4; at++) await makeMetadataApi((id) => seal(before, metadataSecretPlace(id), `credential of ${id}`));
  const current = await makeMetadataApi((id) => seal(after, metadataSecretPlace(id), `credential of ${id}`));
  const untouched = (await apis()).find((row) => row.id === current)?.secret;
  const progress: number[] = [];
  const rotation = await rotateSecrets(database, after, { batchRows: 3, onProgress: (resealed) => progress.push(resealed) });
  t.strictSame(rotation, { resealed: 7 + 3 + 4, unreadable: [] });
  t.strictSame(progress, [3, 6, 7, 10, 13, 14]);
  for (const row of await webhooks()) {
    t.equal(sealedKeyId(row.secret), 'k');
    t.equal(unseal(after, webhookSecretPlace(row.id), row.secret), `secret of ${row.id}`);
    if (row.previous_secret !== null) t.equal(unseal(after, webhookSecretPlace(row.id), row.previous_secret), `previous of ${row.id}`);
  }
  for (const row of await apis()) t.equal(unseal(after, metadataSecretPlace(row.id), row.secret), `credential of ${row.id}`);
  t.strictSame((await apis()).find((row) => row.id === current)?.secret, untouched, 'values with the current key are not changed');
  const { rows: fed } = await client.query("SELECT object_id FROM config_feed WHERE kind = 'metadata_api' ORDER BY object_id");
  t.strictSame(
    fed.map(({ object_id }) => object_id),
    (await apis()).map(({ id }) => id).filter((id) => id !== current),
    'only credentials of metadata APIs get feed rows, because engines keep a copy of them',
  );
  t.strictSame(await rotateSecrets(database, after), { resealed: 0, unreadable: [] }, 'a second run changes nothing');
});

t.test('an interrupted run is finished by the next one', async (t) => {
  for (let at = 0; at < 6; at++) await makeMetadataApi((id) => seal(before, metadataSecretPlace(id), 'x'));
  const stop = new Error('stopped');
  const stopped = rotateSecrets(database, after, {
    batchRows: 2,
    onProgress: (resealed) => {
      if (resealed === 4) throw stop;
    },
  });
  await t.rejects(stopped, stop);
  t.strictSame(await rotateSecrets(database, after, { batchRows: 2 }), { resealed: 2, unreadable: [] });
});

t.test('values that no key can decrypt are reported and left unchanged, and the others are rotated', async (t) => {
  const lost = await makeMetadataApi((id) => seal(parseSecretKeys(key('lost')), metadataSecretPlace(id), 'x'));
  const moved = await makeMetadataApi(() => seal(before, metadataSecretPlace('mapi_of_another'), 'x'));
  const empty = await makeWebhook(Buffer.alloc(0), null);
  const good = await makeMetadataApi((id) => seal(before, metadataSecretPlace(id), 'good'));
  const { resealed, unreadable } = await rotateSecrets(database, after, { batchRows: 1 });
  t.equal(resealed, 1);
  // Ids from the same millisecond sort in any order.
  const expected = [`metadata_apis/${lost}/secret`, `metadata_apis/${moved}/secret`, `webhook_endpoints/${empty}/secret`];
  t.strictSame([...unreadable].sort(), expected.sort());
  const rows = await apis();
  t.equal(unseal(after, metadataSecretPlace(good), rows.find((row) => row.id === good)?.secret as Buffer), 'good');
  t.equal(sealedKeyId(rows.find((row) => row.id === lost)?.secret as Buffer), 'lost');
});

t.test('a credential that is replaced meanwhile keeps its new value', async (t) => {
  const id = await makeMetadataApi((of) => seal(before, metadataSecretPlace(of), 'first'));
  const replacing = {
    ...database,
    query: async <Row>(statement: Parameters<typeof database.query>[0]) => {
      if (statement.text.includes('UPDATE metadata_apis'))
        await client.query('UPDATE metadata_apis SET secret = $2 WHERE id = $1', [id, seal(before, metadataSecretPlace(id), 'second')]);
      return database.query<Row>(statement);
    },
  };
  t.match(await rotateSecrets(replacing, after), { resealed: 0 });
  const found = (await apis()).find((row) => row.id === id)?.secret as Buffer;
  t.equal(unseal(after, metadataSecretPlace(id), found), 'second');
  t.match(await rotateSecrets(database, after), { resealed: 1 }, 'the next run rotates the new value');
});
