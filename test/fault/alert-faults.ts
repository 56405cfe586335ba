import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { CAP_FIRST } from '../../engine/webhooks/endpoint-slots.js';
import { startControlPlane } from '../support/control-plane.js';
import { startEngine } from '../support/engine.js';
import { Ledger } from '../support/ledger.js';
import { askCard, makePreviewedType } from '../support/preview-bots.js';
import { untilReplicated } from '../support/stack.js';
import { until } from '../support/until.js';
import { again, type Fault, holdSession, putCertificate, type Watched } from './alert-scenarios.js';
import { LONG_REFERRER, load } from './scenarios.js';

/** The faults that alert an operator, and how to provoke each of them. */

/** Ignores answers and errors: what a fault does to visitors and callers shows in the metrics. */
const ignored = () => {};

/** Makes one visit on a connection of its own. */
function visit({ stack }: Watched, path: string): Promise<void> {
  return new Promise((resolve) => {
    const headers = { host: stack.project.linkHost };
    const outgoing = request({ host: '127.0.0.1', port: stack.engine.port, path, agent: false, headers }, (response) => {
      response.resume().on('end', resolve);
    });
    outgoing.on('error', () => resolve()).end();
  });
}

const createLink = ({ stack }: Watched, body: object = {}) =>
  stack.controlPlane
    .call<{ id: string; path: string }>(stack.project, 'POST', '/links', { destinations: { web: 'https://destination.example/' }, ...body })
    .catch(() => null);

/** Creates an endpoint of the customer that subscribes to the event. Returns the endpoint's id. */
async function subscribe({ stack, customer }: Watched, event = 'link.created'): Promise<string> {
  const endpoint = { url: `${customer.origin}/hook/${event}`, events: [event] };
  const { status, body } = await stack.controlPlane.call<{ id: string }>(stack.project, 'POST', '/webhooks', endpoint);
  if (status !== 201) throw new Error(`the endpoint was not made: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

async function unsubscribe({ stack }: Watched, id: string): Promise<void> {
  await stack.controlPlane.call(stack.project, 'DELETE', `/webhooks/${id}`);
}

export const ENGINE_ENDS: Fault = {
  what: 'the supervisor of the engine is killed',
  alerts: ['EngineDown'],
  async provoke({ stack }) {
    await stack.engine.kill();
    return async () => {
      const { adminPort } = stack.engine;
      const environment = { ...stack.engineOptions.environment, ENGINE_ADMIN_PORT: String(adminPort) };
      stack.engine = await startEngine({ ...stack.engineOptions, environment });
      await stack.engine.whenReady();
    };
  },
};

export const PROCESS_HANGS: Fault = {
  what: 'the one process that listens hangs',
  alerts: ['EngineProcessNotServing', 'LinkHostUnreachable'],
  async provoke({ stack }) {
    const pid = (await stack.engine.pids()).get('redirect-0');
    process.kill(pid as number, 'SIGSTOP');
    // The supervisor replaces it by itself.
    return () => stack.engine.whenReady();
  },
};

/**
 * The kills follow one another, each as soon as the next process is there. The pauses are long enough for the supervisor to reset
 * its restart backoff.
 */
const KILLS_IN_A_ROW = 6;
const KILLS_REST_MS = 15_000;

export const PROCESS_ENDS_AGAIN: Fault = {
  what: 'a redirect process ends again and again',
  alerts: ['EngineProcessRestarts'],
  async provoke({ stack }) {
    let last = 0;
    const kills = again(async () => {
      for (let count = 0; count < KILLS_IN_A_ROW; count++) {
        const pid = await until(async () => {
          const now = (await stack.engine.pids()).get('redirect-0');
          return now !== undefined && now !== last && now;
        }, 'the next process');
        process.kill(pid, 'SIGKILL');
        last = pid;
      }
    }, KILLS_REST_MS);
    return async () => {
      await kills();
      await stack.engine.whenReady();
    };
  },
};

export const PROCESS_IS_LATE: Fault = {
  what: 'the machine gives a redirect process no time',
  alerts: ['RedirectsSlow', 'LinkHostSlow'],
  async provoke({ stack }) {
    const pid = (await stack.engine.pids()).get('redirect-0') as number;
    const signalEvery = again(async () => {
      process.kill(pid, 'SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 400));
      process.kill(pid, 'SIGCONT');
    }, 200);
    return signalEvery;
  },
};

export const POSTGRES_STOPS: Fault = {
  what: 'PostgreSQL stops',
  alerts: ['PostgresAway', 'ApiErrors', 'ClicksNotShipped', 'ReadThroughDisconnected', 'RedirectsFail'],
  async provoke(watched) {
    const { postgres, link, stack } = watched;
    // Only PostgreSQL knows how many clicks this link has left.
    const limited = await createLink(watched, { max_clicks: 1_000_000 });
    await untilReplicated(stack);
    await postgres.stop();
    const calls = again(() => createLink(watched), 200);
    const clicks = again(() => visit(watched, `/${link.path}`), 50);
    const refused = again(() => visit(watched, `/${limited?.body.path}`), 200);
    return async () => {
      await Promise.all([calls(), clicks(), refused()]);
      await postgres.start();
      await stack.engine.whenReady();
    };
  },
};

export const ENGINE_IS_CUT_OFF: Fault = {
  what: 'the engine is cut off from PostgreSQL until its spool is full',
  alerts: ['EngineSilent', 'ConfigurationLags', 'ClicksDropped'],
  async provoke({ way, stack, link }) {
    await untilReplicated(stack);
    await way.cut();
    const client = load(stack, link, { ledger: new Ledger(), referrer: LONG_REFERRER });
    return async () => {
      await client.stop();
      await way.restore();
      await stack.engine.whenReady();
    };
  },
};

export const WEBHOOKS_FAIL: Fault = {
  what: 'a receiver answers with 500',
  alerts: ['WebhooksFail'],
  async provoke(watched) {
    const id = await subscribe(watched);
    watched.switches.customer = 'fails';
    const links = again(() => createLink(watched), 200);
    return async () => {
      await links();
      watched.switches.customer = 'well';
      await unsubscribe(watched, id);
    };
  },
};

export const WEBHOOKS_ARE_LATE: Fault = {
  what: 'deliveries have been due for ten minutes',
  alerts: ['WebhookQueueLags'],
  async provoke(watched) {
    const id = await subscribe(watched);
    watched.switches.customer = 'hangs';
    // More deliveries than are sent to one endpoint at once, so that the others wait until these have timed out.
    for (let link = 0; link < 4 * CAP_FIRST; link++) await createLink(watched);
    await watched.stack.rows(
      "UPDATE webhook_deliveries SET due_at = now() - interval '10 minutes' WHERE due_at IS NOT NULL AND leased_until IS NULL",
    );
    return async () => {
      watched.switches.customer = 'well';
      await unsubscribe(watched, id);
    };
  },
};

export const ENDPOINT_FAILS_FOR_DAYS: Fault = {
  what: 'an endpoint has failed for four days',
  alerts: ['WebhookEndpointDisabled'],
  async provoke(watched) {
    // An event that is not emitted here, because a success would reset `failing_since`.
    const id = await subscribe(watched, 'link.disabled');
    await watched.stack.rows("UPDATE webhook_endpoints SET failing_since = now() - interval '4 days' WHERE id = $1", [id]);
    return () => unsubscribe(watched, id);
  },
};

export const SECRET_DOES_NOT_OPEN: Fault = {
  what: 'the key of a signing secret is gone',
  alerts: ['WebhookSecretsUnreadable'],
  async provoke(watched) {
    const id = await subscribe(watched);
    await watched.stack.rows("UPDATE webhook_endpoints SET secret = decode('00', 'hex') || secret WHERE id = $1", [id]);
    await createLink(watched);
    return () => unsubscribe(watched, id);
  },
};

export const METADATA_API_FAILS: Fault = {
  what: 'a metadata API answers with 500',
  alerts: ['MetadataBreakersOpen'],
  async provoke(watched) {
    const { stack, customer, switches } = watched;
    const configuration = { url_template: `${customer.origin}/{id}`, field_mapping: { title: 'name' }, timeout_ms: 2000 };
    await makePreviewedType(stack, 'stock', configuration);
    await until(async () => (await askCard(stack, '/stock/first')).title === 'first', 'the first card of the metadata API');
    switches.customer = 'fails';
    const asked = again(() => askCard(stack, `/stock/${Date.now()}`).catch(ignored), 200);
    return async () => {
      switches.customer = 'well';
      // An ordinary call closes the breaker.
      await watched.prometheus.untilClears('MetadataBreakersOpen');
      await asked();
    };
  },
};

export const FEED_IS_LOCKED: Fault = {
  what: 'a session holds the lock of those that number the feed',
  alerts: ['ConfigurationUnnumbered'],
  async provoke(watched) {
    const release = await holdSession(watched.postgres, watched.stack.databaseUrl, `SELECT pg_advisory_lock(${0x6665_6564})`);
    await createLink(watched);
    return release;
  },
};

export const CLICKS_ARE_NOT_COUNTED: Fault = {
  what: 'counting fails at every try',
  alerts: ['ClicksUncounted', 'ControlPlanePartFails'],
  async provoke(watched) {
    const { stack, link } = watched;
    await stack.rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
    await stack.rows('CREATE TRIGGER refuses BEFORE DELETE ON click_batches FOR EACH ROW EXECUTE FUNCTION refuse()');
    await visit(watched, `/${link.path}`);
    await until(
      async () => (await stack.rows("UPDATE click_batches SET stored_at = now() - interval '10 minutes' RETURNING 1")).length > 0,
      'the click to be stored',
    );
    return async () => {
      await stack.rows('DROP TRIGGER refuses ON click_batches');
      await stack.rows('DROP FUNCTION refuse()');
    };
  },
};

export const CLICK_IS_REFUSED: Fault = {
  what: 'PostgreSQL refuses the row of a click',
  alerts: ['ClicksSetAside'],
  async provoke(watched) {
    const { stack } = watched;
    const link = await createLink(watched);
    await stack.rows(`ALTER TABLE clicks ADD CONSTRAINT refuses CHECK (path <> '${link?.body.path}')`);
    const clicks = again(() => visit(watched, `/${link?.body.path}`), 500);
    return async () => {
      await clicks();
      await stack.rows('ALTER TABLE clicks DROP CONSTRAINT refuses');
    };
  },
};

export const TABLE_IS_LOCKED: Fault = {
  what: 'a migration by hand locks a table that the API reads',
  alerts: ['ApiSlow'],
  async provoke(watched) {
    const { stack, postgres, link } = watched;
    const lockAgain = again(async () => {
      const release = await holdSession(postgres, stack.databaseUrl, 'BEGIN', 'LOCK TABLE links IN ACCESS EXCLUSIVE MODE');
      const calls = Array.from({ length: 5 }, () => stack.controlPlane.call(stack.project, 'GET', `/links/${link.id}`));
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await release();
      await Promise.allSettled(calls);
    }, 10);
    return lockAgain;
  },
};

export const CONTROL_PLANE_ENDS: Fault = {
  what: 'the control plane is killed',
  alerts: ['ControlPlaneDown'],
  async provoke(watched) {
    await watched.stack.controlPlane.kill();
    return () => startOnPortOf(watched);
  },
};

async function startOnPortOf({ stack }: Watched): Promise<void> {
  const { adminPort } = stack.controlPlane;
  const environment = { ...stack.controlPlaneOptions.environment, CONTROL_PLANE_ADMIN_PORT: String(adminPort) };
  stack.controlPlane = await startControlPlane({ ...stack.controlPlaneOptions, environment });
}

export const MIGRATION_IS_MISSING: Fault = {
  what: 'a control plane is started before the migrations of its release',
  alerts: ['SchemaBehind'],
  async provoke(watched) {
    const { stack } = watched;
    const [last] = await stack.rows<{ name: string; run_on: Date }>(
      'DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING name, run_on',
    );
    await stack.controlPlane.kill();
    await startOnPortOf(watched);
    return () => stack.rows('INSERT INTO schema_migrations (name, run_on) VALUES ($1, $2)', [last?.name, last?.run_on]);
  },
};

export const CERTIFICATE_EXPIRES: Fault = {
  what: 'a certificate has five days left',
  alerts: ['CertificateExpires'],
  async provoke({ certificates }) {
    putCertificate(certificates, 5);
    return () => putCertificate(certificates, 365);
  },
};

export const CERTIFICATE_IS_BROKEN: Fault = {
  what: 'a file of certificates cannot be read',
  alerts: ['CertificateFaults'],
  async provoke({ certificates }) {
    const file = join(certificates, 'broken.pem');
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n');
    return () => rmSync(file);
  },
};

export const DISK_IS_FULL: Fault = {
  what: 'the disk of DATA_DIR is full',
  alerts: ['DataDirFills'],
  async provoke({ disk }) {
    disk?.fill();
    return () => disk?.empty();
  },
};

/** The connections that are left free. Three of them are reserved for superusers. */
const CONNECTIONS_LEFT = 7;

export const CONNECTIONS_RUN_OUT: Fault = {
  what: 'another program opens connections without end',
  alerts: ['PostgresConnections'],
  async provoke({ postgres, stack }) {
    const sessions: (() => Promise<void>)[] = [];
    // Pools open and close connections meanwhile. Free connections are taken again and again, except a few that the service itself needs.
    const taking = again(async () => {
      const [row] = await stack.rows<{ free: number }>(
        "SELECT current_setting('max_connections')::integer - sum(numbackends)::integer AS free FROM pg_stat_database",
      );
      for (let free = row?.free ?? 0; free > CONNECTIONS_LEFT; free--) sessions.push(await holdSession(postgres, stack.databaseUrl));
    }, 500);
    return async () => {
      await taking();
      await Promise.all(sessions.map((end) => end()));
    };
  },
};

export const CLICKHOUSE_IS_AWAY: Fault = {
  what: 'ClickHouse is away, and a batch has been on its way there for ten minutes',
  alerts: ['ClickHouseAway', 'ClickHouseBatchesStuck', 'ClicksNotShipped'],
  async provoke(watched) {
    const { stack, link, clickHouseWay } = watched;
    await clickHouseWay?.cut();
    const clicks = again(() => visit(watched, `/${link.path}`), 50);
    await until(
      async () => (await stack.rows("UPDATE click_intents SET made_at = now() - interval '10 minutes' RETURNING 1")).length > 0,
      'a batch that waits for ClickHouse',
    );
    return async () => {
      await clicks();
      await clickHouseWay?.restore();
    };
  },
};
