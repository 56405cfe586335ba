import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * ClickHouse's engine (chdb) behind the part of its HTTP interface for which `@clickhouse/client` is used here, in a
 * process of its own. It answers one statement after the other. The first argument is the folder in which chdb was
 * installed, the second one a file of the server's settings in place of its own.
 */
interface Session {
  query(text: string, format?: string): string;
}

const [, , folder = '', configFile] = process.argv;
const { Session } = createRequire(join(folder, 'package.json'))('chdb') as {
  Session: new (path: string, options?: { connectionArgs: readonly string[] }) => Session;
};
const home = mkdtempSync(join(tmpdir(), 'chdb-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
process.on('disconnect', () => process.exit());

/** A mutation waits for a thread that looks for work. By default, a thread that found none rests for five to ten seconds. */
const RESTS = `<clickhouse>
  <background_processing_pool_thread_sleep_seconds>0.05</background_processing_pool_thread_sleep_seconds>
  <background_processing_pool_thread_sleep_seconds_random_part>0</background_processing_pool_thread_sleep_seconds_random_part>
  <background_processing_pool_task_sleep_seconds_when_no_work_min>0.05</background_processing_pool_task_sleep_seconds_when_no_work_min>
  <background_processing_pool_task_sleep_seconds_when_no_work_max>0.1</background_processing_pool_task_sleep_seconds_when_no_work_max>
  <background_processing_pool_task_sleep_seconds_when_no_work_random_part>0</background_processing_pool_task_sleep_seconds_when_no_work_random_part>
</clickhouse>`;
const restsFile = join(home, 'rests.xml');
writeFileSync(restsFile, RESTS);
const session = new Session(join(home, 'data'), { connectionArgs: [`--config-file=${configFile ?? restsFile}`] });
const rows = join(home, 'rows');

function literal(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Settings that every insertion, or every mutation, is sent with. */
const KEPT = new Set([
  'mutations_sync',
  'max_execution_time',
  'output_format_json_quote_64bit_integers',
  'max_insert_block_size',
  'max_query_size',
  'max_partition_size_to_drop',
]);

/** The longest value of a parameter that a server accepts (http_max_field_value_size). */
const VALUE_CHARACTERS_MAX = 131_072;

function answer(parameters: URLSearchParams, body: Buffer): string {
  for (const [name, value] of parameters) if (value.length > VALUE_CHARACTERS_MAX) throw new Error(`Field value too long: ${name}`);
  const kept = [...parameters].filter(([name]) => name.startsWith('param_') || KEPT.has(name));
  // In one statement, because each takes the engine some milliseconds.
  if (kept.length > 0) session.query(`SET ${kept.map(([name, value]) => `${name} = ${literal(value)}`).join(', ')}`);
  const text = parameters.get('query');
  if (text === null) return session.query(body.toString('utf8'), 'JSONEachRow');
  writeFileSync(rows, body);
  const insertion = text.replace(
    / FORMAT RowBinary$/,
    ` FROM INFILE ${literal(rows)} SETTINGS insert_deduplication_token = ${literal(parameters.get('insert_deduplication_token') ?? '')} FORMAT RowBinary`,
  );
  return session.query(insertion);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    response.end(answer(new URL(request.url ?? '/', 'http://chdb').searchParams, Buffer.concat(parts)));
  } catch (error) {
    response.statusCode = 500;
    response.end(error instanceof Error ? error.message : String(error));
  }
}

/** The most that ClickHouse accepts of an address (http_max_uri_size). */
const ADDRESS_BYTES_MAX = 1024 * 1024;

const server = createServer({ maxHeaderSize: ADDRESS_BYTES_MAX }, (request, response) => {
  if (request.method === 'GET') response.end('Ok.\n');
  else handle(request, response).catch(() => response.destroy());
});
// A statement blocks the process, so connections that wait for theirs in the meantime are not idle.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
