import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { connect } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { commandLine } from './command-line.js';

export interface ImportedLink {
  readonly path: string;
  readonly [name: string]: unknown;
}

export interface ReportLine {
  readonly row: number | null;
  readonly id: string;
  readonly outcome: string;
  readonly lost: readonly string[];
  readonly reason: string | null;
}

/** The command line on a database of its own, with functions to write and read what tests of imports need. */
export async function importTarget(t: Test) {
  const own = await createDatabase();
  const client = await connect(own.url);
  t.teardown(async () => {
    await client.end();
    await own.drop();
  });
  const { run, json } = commandLine(t, own.url);
  const folder = temporaryFolder(t);
  let projects = 0;
  const fileOf = (name: string, text: string | Buffer): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  return {
    ...{ run, json, client, folder, fileOf },
    /** Creates an empty environment. */
    async environment(): Promise<{ readonly id: string; readonly host: string }> {
      const host = `go${++projects}.example.com`;
      const { value } = await json(`project create --name Shop --live-host ${host} --test-host test${projects}.example.com`);
      const { rows } = await client.query<{ id: string }>('SELECT id FROM environments WHERE link_host = $1', [host]);
      t.ok(value);
      return { id: rows[0]?.id as string, host };
    },
    /** The links of the environment as an export has them, ordered by path. */
    async linksOf({ id }: { readonly id: string }): Promise<readonly ImportedLink[]> {
      const { stdout } = await run(`export links --env ${id} --format ndjson`);
      const links = stdout.split('\n').filter(Boolean);
      return links.map((line) => JSON.parse(line) as ImportedLink).sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    /** Imports a file with that text, and returns the lines of its report. */
    async imported(words: readonly string[], text: string): Promise<readonly ReportLine[]> {
      const report = join(folder, 'report.ndjson');
      await run(['import', ...words, '--file', fileOf('links.txt', text), '--report', report]);
      const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as ReportLine);
    },
  };
}
