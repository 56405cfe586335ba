import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BULK_LINKS_MAX } from '../shared/base/limits.js';
import { type CountingService, untilReplicated, withCountingService } from './counting/service.js';
import { endedChildrenMicroseconds, treeCpuMicroseconds } from './load/process-cost.js';

export interface ImportsBench {
  readonly links: number;
  onStep(done: number, of: number, what: string): void;
}

/** Links that were imported in one way, with what each process spent on a thousand of them until the engine had them all. */
export interface ImportMeasurement {
  readonly way: string;
  readonly links_per_second: number;
  /** CPU seconds for a thousand links. `linkd` is 0 if links come over the API. */
  readonly linkd: number;
  readonly control_plane: number;
  readonly postgres: number;
  readonly engine: number;
}

const LINKD = fileURLToPath(new URL('../deploy/command-line/linkd.js', import.meta.url));

/** A link as a shop has it: a page of its own, a title, two tags of thirty. */
const linkOf = (way: string, n: number) => ({
  path: `${way}-${n}`,
  web: `https://shop${n % 20}.example.com/products/${(n * 2654435761) % 4294967296}/autumn`,
  title: `Autumn sale, offer number ${n}`,
  tags: [`shelf ${n % 7}`, `season ${n % 23}`],
  created_at: new Date(1_600_000_000_000 + n * 1000).toISOString(),
  clicks: n % 1000,
});

type Link = ReturnType<typeof linkOf>;

const csv = ({ path, web, title, tags, created_at, clicks }: Link) =>
  `${path},${web},"${title}","${tags.join(',')}",${created_at},${clicks}`;
const bitly = ({ path, web, title, tags, created_at, clicks }: Link) =>
  `https://bit.ly/${path},${web},"${title}",${created_at},"${tags.join(',')}",${clicks}`;

interface Way {
  readonly name: string;
  /** Imports the links. Returns the CPU time of the importing process, in microseconds. */
  run(service: CountingService, links: readonly Link[], folder: string): Promise<number>;
}

/** `linkd import` of a file, as a whole process. */
function fileImport(name: string, source: string, head: string, row: (link: Link) => string): Way {
  return {
    name,
    async run({ databaseUrl, environmentId }, links, folder) {
      const file = join(folder, `${source}.csv`);
      writeFileSync(file, `${[head, ...links.map(row)].join('\n')}\n`);
      const before = endedChildrenMicroseconds(process.pid);
      const report = join(folder, `${source}.ndjson`);
      const child = spawn(process.execPath, [LINKD, 'import', source, '--env', environmentId, '--file', file, '--report', report], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DATABASE_URL: databaseUrl },
      });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`the import of ${source} ended with ${code}`);
      return endedChildrenMicroseconds(process.pid) - before;
    },
  };
}

/** Bulk calls at once: while one waits for PostgreSQL, the other is processed. */
const CALLS_AT_ONCE = 2;

const OVER_API: Way = {
  name: 'POST /links/bulk',
  async run({ url, secretKey }, links) {
    const bodies: string[] = [];
    for (let from = 0; from < links.length; from += BULK_LINKS_MAX)
      bodies.push(
        JSON.stringify({
          links: links
            .slice(from, from + BULK_LINKS_MAX)
            .map(({ path, web, title, tags, created_at }) => ({ path, destinations: { web }, title, tags, created_at })),
        }),
      );
    const send = async () => {
      for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
        const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
        const answer = await fetch(`${url}/links/bulk`, { method: 'POST', headers, body });
        // A statement had to wait for a busy machine. The call has created nothing.
        if (answer.status === 503) {
          bodies.push(body);
          await answer.arrayBuffer();
          continue;
        }
        const { created, failed } = (await answer.json()) as { readonly created: number; readonly failed: number };
        if (failed > 0 || created === undefined) throw new Error(`the links were not made: ${answer.status}, ${failed} failed`);
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, send));
    return 0;
  },
};

const WAYS: readonly Way[] = [
  fileImport('linkd import csv', 'csv', 'path,web,title,tags,created_at,clicks', csv),
  fileImport('linkd import bitly', 'bitly', 'Bitlink,Long URL,Title,Created,Tags,Total Clicks', bitly),
  OVER_API,
];

/** A pause, so that what an import has left behind, such as a checkpoint, does not affect the next one. */
const REST_MS = 2000;

/** Imports links into a service of whole processes, one way after the other. */
export function runImports({ links, onStep }: ImportsBench): Promise<readonly ImportMeasurement[]> {
  return withCountingService(async (service) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-imports-'));
    try {
      const measured: ImportMeasurement[] = [];
      for (const [index, way] of WAYS.entries()) {
        onStep(index, WAYS.length, `${links} links by ${way.name}`);
        measured.push(
          await measure(
            way,
            service,
            Array.from({ length: links }, (_, n) => linkOf(`w${index}`, n)),
            folder,
          ),
        );
        await setTimeout(REST_MS);
      }
      return measured;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function measure(way: Way, service: CountingService, links: readonly Link[], folder: string): Promise<ImportMeasurement> {
  const { processes, engine, client } = service;
  const costs = () => ({
    control_plane: treeCpuMicroseconds(processes.controlPlane),
    postgres: treeCpuMicroseconds(processes.postgres),
    engine: treeCpuMicroseconds(engine.pid),
  });
  const before = costs();
  const beganAt = performance.now();
  const linkd = await way.run(service, links, folder);
  const seconds = (performance.now() - beganAt) / 1000;
  await untilReplicated(client);
  const after = costs();
  const perThousand = (microseconds: number) => microseconds / 1000 / links.length;
  return {
    way: way.name,
    links_per_second: links.length / seconds,
    linkd: perThousand(linkd),
    control_plane: perThousand(after.control_plane - before.control_plane),
    postgres: perThousand(after.postgres - before.postgres),
    engine: perThousand(after.engine - before.engine),
  };
}
