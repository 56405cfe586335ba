import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { parse } from 'yaml';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { engineSettings } from '../../engine/settings.js';

const deployFile = (name: string) => readFileSync(fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url)), 'utf8');

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly shm_size?: string;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const { services } = parse(deployFile('compose.yaml'), { merge: true }) as { services: Readonly<Record<string, Service>> };
const SETTINGS = { 'control-plane': controlPlaneSettings, engine: engineSettings };

t.test('what compose sets is a setting of the process that it is set for, and what a process requires is set', async (t) => {
  for (const [name, settings] of Object.entries(SETTINGS)) {
    const given = Object.keys(services[name]?.environment ?? {});
    const known = new Map(Object.values(settings).map((setting) => [setting.name as string, setting.fallback]));
    for (const variable of given) t.ok(known.has(variable), `${name} reads ${variable}`);
    for (const [variable, fallback] of known) if (fallback === null) t.ok(given.includes(variable), `${name} requires ${variable}`);
  }
});

t.test('behind the proxy both halves know whose address is in X-Forwarded-For', async (t) => {
  for (const name of Object.keys(SETTINGS)) t.match(services[name]?.environment.TRUSTED_PROXY_HOPS, /^\$\{TRUSTED_PROXY_HOPS:-1\}$/, name);
});

t.test('the ports that a Caddy on the same machine uses are open on its loopback, and no port is open to others', async (t) => {
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  for (const port of ports) t.match(port, /^127\.0\.0\.1:(\d+):\1$/);
  const upstreams = [...deployFile('Caddyfile').matchAll(/\{\$\w+:(?:http:\/\/)?127\.0\.0\.1:(\d+)\}/g)].map(([, port]) => String(port));
  t.strictSame(ports.map((port) => String(port.split(':')[2])).sort(), upstreams.sort());
});

t.test('a name stands for one thing: what the Caddyfile reads is not a setting of the service', async (t) => {
  const names = new Set<string>(Object.values(SETTINGS).flatMap((table) => Object.values(table).map((setting) => setting.name)));
  for (const [, name] of deployFile('Caddyfile').matchAll(/\{\$(\w+)/g)) t.notOk(names.has(name as string), `${name}`);
});

t.test('PostgreSQL gets more shared memory than the 64 MB that container engines give', async (t) => {
  t.ok(Number.parseInt(services.postgres?.shm_size ?? '0', 10) >= 256);
});

t.test('both halves wait for a migration that nothing watches but for its end', async (t) => {
  t.match(services.migrate, { command: ['node', 'dist/deploy/command-line/linkd.js', 'migrate'], healthcheck: { disable: true } });
  for (const name of Object.keys(SETTINGS)) {
    t.same(services[name]?.depends_on?.migrate, { condition: 'service_completed_successfully' }, name);
    t.notOk('MIGRATE_AT_START' in (services[name]?.environment ?? {}), name);
  }
});
