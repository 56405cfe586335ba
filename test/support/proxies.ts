import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Test } from 'tap';
import { deployed, deployedPath, replaced } from './deployed-files.js';
import { freePort } from './free-port.js';
import { hasProgram } from './programs.js';
import { type Command, startProgram } from './start-program.js';
import { temporaryFolder } from './temporary-folder.js';

/** The proxies that deploy/ has a configuration for. */
export const PROXY_KINDS = ['nginx', 'haproxy', 'caddy'] as const;
export type ProxyKind = (typeof PROXY_KINDS)[number];

/** A proxy in front of engines, with its own file of deploy/ and other ports. */
export interface StartedProxy {
  readonly port: number;
  /** Caddy redirects plain HTTP to TLS by itself. */
  readonly tls: boolean;
}

/** Returns false if the proxy is missing: see `hasProgram`. */
export function hasProxy(t: Test, kind: ProxyKind): boolean {
  return hasProgram(t, kind);
}

/** Returns the command that checks a file of deploy/ without starting anything: `nginx -t`, `haproxy -c`, `caddy validate`. */
export function checkCommand(t: Test, kind: ProxyKind): Command {
  const folder = temporaryFolder(t);
  if (kind === 'haproxy') return ['haproxy', ['-c', '-f', deployedPath('haproxy/haproxy.cfg')]];
  if (kind === 'caddy') {
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return ['caddy', ['validate', '--config', deployedPath('Caddyfile'), '--adapter', 'caddyfile'], home];
  }
  // `nginx -t` tries to bind the port, and an ordinary user may not bind 80. A port that is taken is not an error to it.
  const [program, args] = nginxCommand(folder, nginxFile(deployed('nginx/link-hosts.conf'), 8080, [8080]));
  return [program, [...args, '-t']];
}

export async function startProxy(t: Test, kind: ProxyKind, enginePorts: readonly number[]): Promise<StartedProxy> {
  const port = await freePort();
  const folder = temporaryFolder(t);
  if (kind === 'nginx') await startProgram(t, nginxCommand(folder, nginxFile(deployed('nginx/link-hosts.conf'), port, enginePorts)), port);
  else if (kind === 'haproxy') await startProgram(t, haproxyCommand(folder, port, enginePorts), port);
  else await startProgram(t, await caddyCommand(t, folder, port, enginePorts), port);
  return { port, tls: kind === 'caddy' };
}

/** Starts HAProxy in front of control planes, with its file of deploy/. Returns its port. */
export async function startApiProxy(
  t: Test,
  controlPlanes: readonly { readonly port: number; readonly adminPort: number }[],
): Promise<number> {
  const port = await freePort();
  const servers = controlPlanes.map(
    ({ port, adminPort }, index) => `server control-plane-${index + 1} 127.0.0.1:${port} port ${adminPort}`,
  );
  const text = replaced(deployed('haproxy/control-planes.cfg'), 'server control-plane-1 127.0.0.1:3000 port 9091', servers.join('\n    '));
  const file = join(temporaryFolder(t), 'haproxy.cfg');
  writeFileSync(file, replaced(text, 'bind :80\n', `bind 127.0.0.1:${port}\n`));
  await startProgram(t, ['haproxy', ['-db', '-f', file]], port);
  return port;
}

/** Starts nginx as set up by somebody who has read nothing: every setting that is not needed is left out. */
export async function startPlainNginx(t: Test, enginePorts: readonly number[]): Promise<StartedProxy> {
  const port = await freePort();
  const engines = enginePorts.map((engine) => `server 127.0.0.1:${engine};`).join(' ');
  const server = `listen 127.0.0.1:${port}; location / { proxy_pass http://engines; proxy_http_version 1.1; proxy_set_header Host $host; }`;
  await startProgram(t, nginxCommand(temporaryFolder(t), `upstream engines { ${engines} }\nserver { ${server} }\n`), port);
  return { port, tls: false };
}

function nginxFile(text: string, port: number, enginePorts: readonly number[]): string {
  const engines = enginePorts.map((engine) => `server 127.0.0.1:${engine} max_fails=0;`).join('\n');
  return replaced(replaced(text, 'server 127.0.0.1:8080 max_fails=0;', engines), 'listen 80 ', `listen 127.0.0.1:${port} `);
}

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

/** Caddy with an authority of its own, and a server that says that every host is served. */
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
