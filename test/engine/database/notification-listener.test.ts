import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { NotificationListener } from '../../../engine/database/notification-listener.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { type ConfigFixture, configFixture, log } from '../sync/config-fixture.js';

function started(t: Test, databaseUrl: string, random = 0.1) {
  const heard = { hints: 0 };
  const listener = new NotificationListener({
    databaseUrl,
    channels: ['some channel', 'another'],
    log,
    random: () => random,
    onHint: () => heard.hints++,
  });
  listener.start();
  t.teardown(() => listener.stop());
  return { listener, heard };
}

const KILL =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%listen%'";
const notify = (fixture: ConfigFixture, payload = '') => fixture.pool.query('SELECT pg_notify($1, $2)', ['some channel', payload]);

t.test('a hint comes when listening begins, at every notification, and when listening begins again', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const { listener, heard } = started(t, fixture.url);
  await until(() => listener.stats().state === 'listening', 'listening');
  t.equal(heard.hints, 1);
  for (const payload of ['', 'no json', '{"position":1}']) await notify(fixture, payload);
  await until(() => heard.hints === 4, 'three notifications');
  await fixture.pool.query(KILL);
  await until(() => listener.stats().connections === 2, 'another connection');
  await until(() => heard.hints === 5, 'the hint that listening has begun again');
  await notify(fixture);
  await until(() => heard.hints === 6, 'a notification on the new connection');
  t.equal(listener.stats().notifications, 4);
});

t.test('a restart replaces the connection', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const { listener, heard } = started(t, fixture.url);
  await until(() => listener.stats().state === 'listening', 'listening');
  listener.restart();
  await until(() => listener.stats().connections === 2 && listener.stats().state === 'listening', 'another connection');
  await until(async () => {
    const { rows } = await fixture.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%listen%'",
    );
    return rows.length === 1;
  }, 'the old connection to be gone');
  t.equal(heard.hints, 2);
});

t.test('a stop ends listening at any moment, and leaves no connection and no attempt behind', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  for (const pause of [0, 2, 5, 10, 50]) {
    const { listener } = started(t, fixture.url);
    await sleep(pause);
    await listener.stop();
    t.equal(listener.stats().state, 'stopped');
  }
  const url = new URL(fixture.url);
  url.port = '1';
  const { listener } = started(t, url.href, 1);
  await until(() => listener.stats().state === 'waiting', 'a failed attempt');
  await listener.stop();
  await until(async () => {
    const { rows } = await fixture.pool.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%listen%'",
    );
    return rows.length === 0;
  }, 'every connection to be gone');
  t.equal(listener.stats().connections, 0);
});

// With sslmode=disable the driver reads the file too, and does without TLS.
t.test('while the file of the certificate authority is missing, it tries again', async (t) => {
  const fixture = await configFixture(t, { assigning: false });
  const authority = join(temporaryFolder(t), 'authority.pem');
  const url = new URL(fixture.url);
  url.searchParams.set('sslmode', 'disable');
  url.searchParams.set('sslrootcert', authority);
  const { listener } = started(t, url.href);
  await until(() => listener.stats().state === 'waiting', 'the first attempt to fail');
  writeFileSync(authority, '');
  await until(() => listener.stats().state === 'listening', 'listening');
});
