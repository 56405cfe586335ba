import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { parse } from 'yaml';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { engineSettings } from '../../engine/settings.js';
import { controlPlaneConnections, engineConnections } from '../../shared/base/database-connections.js';
import { fileVariable, type Setting } from '../../shared/base/settings.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { check } from '../support/programs.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Service {
  readonly image?: string;
  readonly tmpfs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly shm_size?: string;
  readonly pids_limit?: number;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
  readonly logging?: { readonly options?: { readonly 'max-size'?: string; readonly 'max-file'?: string } };
}

interface Secrets {
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

interface ComposeFile extends Secrets {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

/** A file that is given to Compose in addition to the first one. */
interface AddedFile extends Secrets {
  readonly services: Readonly<
    Record<string, Omit<Service, 'secrets'> & { readonly secrets?: readonly (string | { readonly source: string })[] }>
  >;
}

const read = (name: string) => parse(readTreeFile(`deploy/${name}`), { merge: true });
const file = read('compose.yaml') as ComposeFile;
const { services } = file;
const ADDED = ['clickhouse/compose.yaml', 'pgbackrest/compose.yaml', 'pgbouncer/compose.yaml'].map(
  (name) => [name, read(name) as AddedFile] as const,
);
const FILES = [file, ...ADDED.map(([, added]) => added)];
const SETTINGS = { 'control-plane': controlPlaneSettings, engine: engineSettings };

t.test('the files are valid according to the schema of the Compose specification', async (t) => {
  const folder = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
  const schema = JSON.parse(readFileSync(join(folder, 'schemas/compose.schema.json'), 'utf8')) as Record<string, unknown>;
  delete schema.$schema; // draft 7, under a URL that Ajv does not recognise
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const valid = ajv.compile(schema);
  t.ok(valid(file), JSON.stringify(valid.errors));
  for (const [name, added] of ADDED) t.ok(valid(added), `${name}: ${JSON.stringify(valid.errors)}`);
  t.notOk(valid({ ...file, services: { engine: { ...services.engine, readonly: true } } }), 'an unknown key is reported');
});

t.test('each variable is a setting of its process, and every required setting is set', async (t) => {
  for (const [name, table] of Object.entries(SETTINGS)) {
    const given = FILES.flatMap((each) => Object.keys(each.services[name]?.environment ?? {}));
    const settings = new Map(
      Object.values(table).flatMap((setting: Setting<unknown>) => [
        [setting.name, setting] as const,
        ...(setting.secret === true ? [[fileVariable(setting.name), setting] as const] : []),
      ]),
    );
    for (const variable of given) t.ok(settings.has(variable), `${name} reads ${variable}`);
    for (const [variable, { fallback, name: required }] of settings)
      if (fallback === null) t.ok(given.includes(required) || given.includes(fileVariable(required)), `${name} requires ${variable}`);
  }
});

t.test('the environment holds no secret, and each service reads exactly the secrets it is given', async (t) => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(services)) {
    for (const [variable, value] of Object.entries(environment)) t.notMatch(value, /:\/\/.*@|_PASSWORD|_KEYS/, `${name} ${variable}`);
    const named = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
    t.same(named.toSorted(), secrets.map((secret) => `/run/secrets/${secret}`).toSorted(), name);
  }
});

t.test('the additional files name existing files and declared secrets, relative to the folder of the first file', async (t) => {
  for (const [name, added] of ADDED) {
    const secrets = { ...file.secrets, ...added.secrets };
    for (const [service, { environment = {}, secrets: given = [], volumes = [], logging, healthcheck }] of Object.entries(added.services)) {
      for (const [variable, value] of Object.entries(environment)) t.notMatch(value, /:\/\/.*@|\$\{/, `${name} ${variable}`);
      const sources = given.map((secret) => (typeof secret === 'string' ? secret : secret.source));
      for (const secret of sources) t.ok(secret in secrets, `${service} reads ${secret}`);
      for (const volume of volumes.filter((path) => path.startsWith('.')))
        t.ok(existsSync(join(ROOT, 'deploy', volume.split(':')[0] as string)), volume);
      if (!(service in services)) t.ok(logging !== undefined && healthcheck?.test !== undefined, `${service} is watched`);
    }
    for (const [service, container] of Object.entries(added.services).filter(([service]) => !(service in services))) {
      t.match(container, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }, service);
      t.match(container, { mem_limit: /^\d+[mg]$/, restart: /./ }, service);
      t.ok((container.pids_limit ?? 0) > 0, service);
    }
    for (const { file: path } of Object.values(added.secrets)) t.match(path, /^secrets\/[a-z-]+$/);
  }
});

t.test(
  'deploy/make-secrets makes every secret once, as files that containers can read in a folder that only their owner can enter',
  async (t) => {
    const folder = join(temporaryFolder(t), 'secrets');
    const make = () => t.equal(check(join(ROOT, 'deploy/make-secrets'), [folder]).status, 0);
    make();
    const names = FILES.flatMap(({ secrets }) => Object.values(secrets)).map(({ file: path }) => path.replace(/^secrets\//, ''));
    const contents = () => names.map((name) => readFileSync(join(folder, name), 'utf8'));
    const first = contents();
    make();
    t.same(contents(), first, 'existing secrets are kept');
    t.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of names) t.equal(statSync(join(folder, name)).mode & 0o777, 0o444, name);
    const text = Object.fromEntries(names.map((name, index) => [name, (first[index] as string).trim()]));
    t.equal(new URL(text['database-url'] as string).password, text['postgres-password']);
    t.equal(new URL(text['database-url'] as string).username, services.postgres?.environment?.POSTGRES_USER);
    t.equal(new URL(text['clickhouse-url'] as string).password, text['clickhouse-password']);
    t.equal(text['pgbouncer-users'], `"link_service" "${text['postgres-password']}"`);
    t.equal(text['database-pool-url'], text['database-url']?.replace('@postgres/', '@pgbouncer:6432/'));
    t.match(text['pgbackrest-passphrase'], /^\[global\]\nrepo1-cipher-pass=[0-9a-f]{64}$/);
    t.doesNotThrow(() => parseSecretKeys(text['secrets-keys'] as string));
  },
);

t.test(
  'the image with pgBackRest has the version of PostgreSQL that runs without it, and its data folder, socket and superuser',
  async (t) => {
    const added = read('pgbackrest/compose.yaml') as AddedFile;
    const major = /^postgres:(\d+)$/.exec(services.postgres?.image ?? '')?.[1];
    t.match(readTreeFile('deploy/pgbackrest/Dockerfile'), new RegExp(`^ARG POSTGRES_IMAGE=docker\\.io/library/postgres:${major}$`, 'm'));
    const configuration = readTreeFile('deploy/pgbackrest/pgbackrest.conf');
    const { volumes: [data] = [], tmpfs = [], environment = {} } = services.postgres as Service;
    t.ok(
      configuration.includes(`\npg1-path=${data?.split(':')[1]}/${major}/docker\n`),
      'the configuration names the data folder of the image',
    );
    for (const [, path = ''] of configuration.matchAll(/^(?:pg1-socket|lock)-path=(\S+)$/gm))
      t.ok(
        tmpfs.some((mount) => path.startsWith(mount.split(':')[0] as string)),
        `${path} is writable`,
      );
    t.ok(configuration.includes(`\npg1-user=${environment.POSTGRES_USER}\n`));
    const mounted = (added.services.postgres?.volumes ?? []).map((volume) => volume.replace(/:ro$/, '').split(':').at(-1));
    t.same(mounted, ['/etc/pgbackrest/pgbackrest.conf', /^repo1-path=(.*)$/m.exec(configuration)?.[1]]);
  },
);

t.test('only Caddy publishes ports, and PostgreSQL is on an internal network only', async (t) => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => (ports.length > 0 ? [name] : []));
  t.same(published, ['caddy']);
  t.same(services.caddy?.networks, ['front']);
  t.same(services.postgres?.networks, ['back']);
  t.equal(file.networks.back?.internal, true);
  t.match(
    readTreeFile('deploy/Caddyfile'),
    /deploy\/compose\.yaml, which publishes it nowhere/,
    'the Caddyfile says that the port for questions about hosts is published nowhere',
  );
  for (const name of Object.keys(SETTINGS)) t.match(services[name]?.environment?.TRUSTED_PROXY_HOPS, /^\$\{TRUSTED_PROXY_HOPS:-1\}$/, name);
});

t.test('Caddy is given every address that its file reads, each with the port of its service', async (t) => {
  const environment = services.caddy?.environment ?? {};
  const addresses = [...readTreeFile('deploy/Caddyfile').matchAll(/\{\$(\w+):(?:http:\/\/)?127\.0\.0\.1:(\d+)\}/g)];
  t.equal(addresses.length, 3);
  for (const [, name, port] of addresses) {
    const [, host, own] = /^(?:http:\/\/)?([a-z-]+):(\d+)$/.exec(environment[name as string] ?? '') ?? [];
    t.ok(host !== undefined && services[host] !== undefined, `${name} names a service`);
    t.equal(own, port, `${name} has the same port as without containers`);
  }
});

t.test('no variable of the Caddyfile has the name of a setting of the service', async (t) => {
  const names = new Set<string>(Object.values(SETTINGS).flatMap((table) => Object.values(table).map((setting) => setting.name)));
  for (const [, name] of readTreeFile('deploy/Caddyfile').matchAll(/\{\$(\w+)/g)) t.notOk(names.has(name as string), `${name}`);
});

t.test('every container is read-only, without privileges, bounded in memory and logs, and watched', async (t) => {
  for (const [name, service] of Object.entries(services)) {
    t.match(service, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], pids_limit: 512 }, name);
    t.match(service, { mem_limit: /^\d+[mg]$/, restart: /./ }, name);
    t.match(service.logging?.options, { 'max-size': '10m', 'max-file': '5' }, name);
    t.ok(service.healthcheck?.test !== undefined || name === 'migrate', name);
  }
});

t.test('PostgreSQL has enough connections for two control planes of a rolling restart, an engine and the command line', async (t) => {
  const [coresMax, commandLine, reserved] = [32, 4, 3];
  const controlPlane = controlPlaneConnections(Number(controlPlaneSettings.databaseConnections.fallback), false);
  const engine = engineConnections({ redirectProcesses: coresMax, delivers: true, pooled: false });
  const needed = 2 * controlPlane + engine + commandLine + reserved;
  const given = Number(/max_connections=(\d+)/.exec(services.postgres?.command?.join(' ') ?? '')?.[1]);
  t.ok(given >= needed, `${given} of ${needed}`);
  t.ok(Number.parseInt(services.postgres?.shm_size ?? '0', 10) >= 256, 'more shared memory than the 64 MB that container engines give');
});

t.test('Caddy starts without waiting for healthy services, because the first project is made while no engine is ready', async (t) => {
  for (const [name, { condition }] of Object.entries(services.caddy?.depends_on ?? {})) t.equal(condition, 'service_started', name);
});

t.test('engine and control plane start after the migration has succeeded, and the migration has no health check', async (t) => {
  t.match(services.migrate, { command: ['node', 'dist/deploy/command-line/linkd.js', 'migrate'], healthcheck: { disable: true } });
  for (const name of Object.keys(SETTINGS)) {
    t.same(services[name]?.depends_on?.migrate, { condition: 'service_completed_successfully' }, name);
    t.notOk('MIGRATE_AT_START' in (services[name]?.environment ?? {}), name);
    t.match(services[name]?.healthcheck?.test, ['CMD', 'node', 'dist/deploy/images/health.js', name, 'ready']);
  }
});
