import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { tryPort } from '../../shared/base/free-port.js';
import { canConnect } from './can-connect.js';
import { hasProgram, PROGRAM_PATH } from './programs.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** The proxies that deploy/ has a configuration for. */
export const PROXY_KINDS = ['nginx', 'haproxy', 'caddy'] as const;
export type ProxyKind = (typeof PROXY_KINDS)[number];

/** A proxy in front of engines, from its own file of deploy/ with other ports. */
export interface StartedProxy {
  readonly port: number;
  /** Caddy redirects plain HTTP to TLS by itself. */
  readonly tls: boolean;
}

/** False where the proxy is missing: see `hasProgram`. */
export function hasProxy(t: Test, kind: ProxyKind): boolean {
  return hasProgram(t, kind);
}

/** What checks a file of deploy/ without starting anything: `nginx -t`, `haproxy -c`, `caddy validate`. */
export function checkCommand(t: Test, kind: ProxyKind): Command {
  const folder = temporaryFolder(t);
  if (kind === 'haproxy') return ['haproxy', ['-c', '-f', deployedPath('haproxy/haproxy.cfg')]];
  if (kind === 'caddy') {
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return ['caddy', ['validate', '--config', deployedPath('Caddyfile'), '--adapter', 'caddyfile'], home];
  }
  // `nginx -t` tries to bind the port: 80 would be refused to an ordinary user. One that is taken is no fault to it.
  const [program, args] = nginxCommand(folder, nginxFile(deployed('nginx/link-hosts.conf'), 8080, [8080]));
  return [program, [...args, '-t']];
}

export async function startProxy(t: Test, kind: ProxyKind, enginePorts: readonly number[]): Promise<StartedProxy> {
  const port = await freePort();
  const folder = temporaryFolder(t);
  if (kind === 'nginx') await run(t, nginxCommand(folder, nginxFile(deployed('nginx/link-hosts.conf'), port, enginePorts)), port);
  else if (kind === 'haproxy') await run(t, haproxyCommand(folder, port, enginePorts), port);
  else await run(t, await caddyCommand(t, folder, port, enginePorts), port);
  return { port, tls: kind === 'caddy' };
}

/** nginx as somebody may have it who has read nothing: every setting that is not needed is left out. */
export async function startPlainNginx(t: Test, enginePorts: readonly number[]): Promise<StartedProxy> {
  const port = await freePort();
  const engines = enginePorts.map((engine) => `server 127.0.0.1:${engine};`).join(' ');
  const server = `listen 127.0.0.1:${port}; location / { proxy_pass http://engines; proxy_http_version 1.1; proxy_set_header Host $host; }`;
  await run(t, nginxCommand(temporaryFolder(t), `upstream engines { ${engines} }\nserver { ${server} }\n`), port);
  return { port, tls: false };
}

async function freePort(): Promise<number> {
  const binding = await tryPort('127.0.0.1', 0);
  if (binding.taken) throw new Error(binding.reason);
  return binding.port;
}

function deployedPath(file: string): string {
  return fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));
}

function deployed(file: string): string {
  return readFileSync(deployedPath(file), 'utf8');
}

/** Throws if a file no longer has the line that the ports stand in. */
function replaced(text: string, line: string, by: string): string {
  if (!text.includes(line)) throw new Error(`there is no ${JSON.stringify(line)} to be replaced`);
  return text.replace(line, by);
}

function nginxFile(text: string, port: number, enginePorts: readonly number[]): string {
  const engines = enginePorts.map((engine) => `server 127.0.0.1:${engine} max_fails=0;`).join('\n');
  return replaced(replaced(text, 'server 127.0.0.1:8080 max_fails=0;', engines), 'listen 80 ', `listen 127.0.0.1:${port} `);
}

export type Command = readonly [program: string, args: readonly string[], environment?: Readonly<Record<string, string>>];

function nginxCommand(folder: string, http: string): Command {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
  const main = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http { access_log off; ${paths}
${http} }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  return ['nginx', ['-p', folder, '-e', `${folder}/error.log`, '-c', join(folder, 'nginx.conf')]];
}

function haproxyCommand(folder: string, port: number, enginePorts: readonly number[]): Command {
  const engines = enginePorts.map((engine, index) => `server engine-${index + 1} 127.0.0.1:${engine}`).join('\n    ');
  const text = replaced(deployed('haproxy/haproxy.cfg'), 'server engine-1 127.0.0.1:8080', engines);
  writeFileSync(join(folder, 'haproxy.cfg'), replaced(text, 'bind :80\n', `bind 127.0.0.1:${port}\n`));
  return ['haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]];
}

/** With an authority of its own, and somebody who says that every host is served. */
async function caddyCommand(t: Test, folder: string, port: number, enginePorts: readonly number[]): Promise<Command> {
  const admin = createServer((_request, response) => response.end());
  admin.listen(0, '127.0.0.1');
  await once(admin, 'listening');
  t.teardown(() => void admin.close());
  const { port: adminPort } = admin.address() as { port: number };
  const environment = {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    HTTP_PORT: String(await freePort()),
    HTTPS_PORT: String(port),
    CADDY_ADMIN: 'off',
    CERTIFICATE_ISSUER: 'internal',
    ENGINE_ADMIN_ORIGIN: `http://127.0.0.1:${adminPort}`,
    ENGINE_ADDRESS: enginePorts.map((engine) => `127.0.0.1:${engine}`).join(' '),
  };
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, deployed('Caddyfile'));
  return ['caddy', ['run', '--config', file, '--adapter', 'caddyfile'], environment];
}

async function run(t: Test, [program, args, environment = {}]: Command, port: number): Promise<void> {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: PROGRAM_PATH, ...environment } });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill();
    await ended;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    return await canConnect(port);
  }, `${program} to listen`);
}
