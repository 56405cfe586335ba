import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BROWSER_HEADERS, type Contender, type RunningServer } from './contender.js';
import { BENCH_HOST, destinationOf, pathOf } from './links.js';
import { endProcess, spawnPinned, untilItListens } from './pinned-process.js';
import { freePort, nodeProcessContender } from './servers.js';

/**
 * Other servers that do as much of the same work as they can, each as one process that serves by itself, so that the
 * CPU time of its pid is all that it costs. bench/install-peers.sh installs those that are missing.
 */
interface Peer {
  readonly key: string;
  readonly name: string;
  readonly program: string;
  /** Writes the configuration into `dir`; returns the parameters of the program. */
  configure(dir: string, port: number, links: number): readonly string[];
}

/** Debian installs them in these folders, which an ordinary user's PATH may lack. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

const NGINX_COMMON = (dir: string, port: number, http: string, location: string): string => `
daemon off;
master_process off;
worker_processes 1;
error_log ${dir}/error.log crit;
pid ${dir}/nginx.pid;
events { worker_connections 4096; }
http {
  client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;
  server_tokens off;
  keepalive_requests 1000000000;
  access_log off;
  ${http}
  server {
    listen 127.0.0.1:${port};
    server_name ${BENCH_HOST};
    location / {
      add_header Cache-Control "private, no-store" always;
      ${location}
    }
  }
}
`;

function nginx(dir: string, port: number, parts: { readonly http: string; readonly location: string }): readonly string[] {
  writeFileSync(join(dir, 'nginx.conf'), NGINX_COMMON(dir, port, parts.http, parts.location));
  return ['-p', dir, '-c', join(dir, 'nginx.conf')];
}

/** A line for each link, a few hundred thousand at a time. */
function writeMap(file: string, links: number, lineOf: (path: string, destination: string) => string): void {
  const fd = openSync(file, 'w');
  for (let from = 0; from < links; from += 100_000) {
    const lines: string[] = [];
    for (let n = from; n < Math.min(links, from + 100_000); n++) lines.push(lineOf(`/${pathOf(n)}`, destinationOf(n)));
    writeSync(fd, lines.join(''));
  }
  closeSync(fd);
}

const PEERS: readonly Peer[] = [
  {
    key: 'nginx-map',
    // Seven fields of each request go into a buffered log. The map is case-insensitive.
    name: 'nginx, map and access log',
    program: 'nginx',
    configure(dir, port, links) {
      writeMap(join(dir, 'map.conf'), links, (path, destination) => `${path} ${destination};\n`);
      const http = `
  map_hash_max_size ${Math.max(2048, links)};
  map_hash_bucket_size 128;
  map $uri $destination { default ""; include ${dir}/map.conf; }
  log_format fields '$msec|$host|$uri|$destination|$http_user_agent|$http_referer|$http_x_forwarded_for';
  access_log ${dir}/access.log fields buffer=64k flush=1s;`;
      return nginx(dir, port, { http, location: 'if ($destination = "") { return 404; }\n      return 302 $destination;' });
    },
  },
  {
    key: 'nginx-return',
    name: 'nginx, constant',
    program: 'nginx',
    configure: (dir, port) => nginx(dir, port, { http: '', location: 'return 302 https://destination.example/item/0123456;' }),
  },
  {
    key: 'haproxy-map',
    name: 'HAProxy, map',
    program: 'haproxy',
    configure(dir, port, links) {
      writeMap(join(dir, 'map'), links, (path, destination) => `${path} ${destination}\n`);
      const file = join(dir, 'haproxy.cfg');
      writeFileSync(
        file,
        `
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
frontend links
  bind 127.0.0.1:${port}
  http-request redirect location %[path,map(${dir}/map)] code 302 if { path,map(${dir}/map) -m found }
  http-request return status 404
`,
      );
      return ['-db', '-f', file];
    },
  },
];

async function startPeer(peer: Peer, core: number | null, links: number): Promise<RunningServer> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-peer-'));
  const port = await freePort();
  const parameters = peer.configure(dir, port, links);
  const child = spawnPinned(core, [peer.program, ...parameters], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, PATH } });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    rmSync(dir, { recursive: true, force: true });
  };
  await untilItListens(child, port).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { pids: [child.pid as number], port, invalid: () => null, stop };
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['-v'], { env: { ...process.env, PATH } }).error === undefined;
}

/** Every peer whose program is installed here, over `links` links. */
export function peerContenders(links: number): readonly Contender[] {
  const node = fileURLToPath(new URL('./node-server.js', import.meta.url));
  return [
    ...PEERS.filter(({ program }) => isInstalled(program)).map((peer) => ({
      key: peer.key,
      name: peer.name,
      headers: { ...BROWSER_HEADERS, host: BENCH_HOST, 'x-forwarded-for': '203.0.113.77' },
      start: (core: number | null) => startPeer(peer, core, links),
    })),
    nodeProcessContender({ key: 'node', name: 'node:http, constant', entry: node }),
  ];
}
