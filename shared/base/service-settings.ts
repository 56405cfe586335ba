import { parseUrl } from './parse-url.js';
import { markPooled } from './pooled-url.js';
import { postgresUrl } from './postgres-url.js';
import { integer, LIST, list, oneOf, SettingError } from './settings.js';

function serviceName(value: string): string {
  if (!/^[A-Za-z0-9-]{1,32}$/.test(value)) throw new SettingError(`expected 1 to 32 letters, digits and "-", got "${value}"`);
  return value;
}

function origin(value: string): string {
  const url = parseUrl(value);
  // A value with a user may contain a password, which must not be logged.
  const got = value.includes('@') ? '' : `, got "${value}"`;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new SettingError(`expected http or https origins such as http://127.0.0.1:4000${got}`);
  if (url.href !== `${url.origin}/`)
    throw new SettingError(`expected origins alone, without user, path, query or fragment: write ${url.origin}${got}`);
  return url.origin;
}

function queueUrl(value: string): string {
  return value === '' || value === 'none' ? value : postgresUrl(value);
}

function poolUrl(value: string): string {
  if (value === '') return '';
  const marked = markPooled(postgresUrl(value));
  if (marked === null) throw new SettingError('expected a URL such as postgres://user@127.0.0.1:6432/link');
  return marked;
}

/** Parameters that an operator may need: settings of the server, headers for a proxy, and a path before the service's own. */
const CLICKHOUSE_PARAMETER = /^(ch|clickhouse_setting|http_header)_\w|^pathname$/;

/** Refuses what the client would refuse only when it is created, in a child process of the engine, and what would override its limits. */
function clickHouseUrl(value: string): string {
  if (value === '') return '';
  const url = parseUrl(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new SettingError('expected a URL such as https://user:password@clickhouse:8443/clicks');
  if (!isPercentEncoded(url.username + url.password)) throw new SettingError('a % in the user or the password must be written as %25');
  if (![...url.searchParams.keys()].every((name) => CLICKHOUSE_PARAMETER.test(name)))
    throw new SettingError('expected no parameters, except settings of ClickHouse such as ?ch_insert_quorum=2');
  return value;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Settings that both halves read. */
export const sharedSettings = {
  serviceName: {
    name: 'SERVICE_NAME',
    help: 'word used in header names such as X-Service-Signature',
    fallback: 'Service',
    parse: serviceName,
  },
  databaseUrl: { name: 'DATABASE_URL', help: 'PostgreSQL connection string', fallback: null, parse: postgresUrl, secret: true },
  databasePoolUrl: {
    name: 'DATABASE_POOL_URL',
    help: 'connection string of a PgBouncer in transaction mode, for everything except notifications and locks; empty: DATABASE_URL',
    fallback: '',
    parse: poolUrl,
    secret: true,
  },
  queueDatabaseUrl: {
    name: 'QUEUE_DATABASE_URL',
    help: 'the job queue\'s connection to the same database; "none" runs without a queue',
    fallback: '',
    parse: queueUrl,
    secret: true,
  },
  clickStore: {
    name: 'CLICK_STORE',
    help: 'where clicks are stored; everything else is always in PostgreSQL',
    fallback: 'postgres',
    parse: oneOf(['postgres', 'clickhouse']),
  },
  clickHouseUrl: {
    name: 'CLICKHOUSE_URL',
    help: 'address of the HTTP interface of ClickHouse, with user, password and database, if CLICK_STORE is clickhouse',
    fallback: '',
    parse: clickHouseUrl,
    secret: true,
  },
  secretsKeys: {
    name: 'SECRETS_KEYS',
    help: 'keys that encrypt stored credentials: id:base64 of 32 bytes, comma-separated; the first one is used for new credentials',
    fallback: null,
    parse: Object.assign((value: string) => value, { bound: LIST }),
    secret: true,
  },
  outboundAllow: {
    name: 'OUTBOUND_ALLOW',
    help: 'origins that webhook and metadata calls may reach although they are not https or not public, comma-separated (for development and tests)',
    fallback: '',
    parse: list(origin),
  },
  linkScheme: { name: 'PUBLIC_LINK_SCHEME', help: 'scheme of short URLs as shown', fallback: 'https', parse: oneOf(['http', 'https']) },
  linkPort: { name: 'PUBLIC_LINK_PORT', help: 'port of short URLs as shown; 0 leaves it out', fallback: '0', parse: integer(0, 65535) },
  logLevel: {
    name: 'LOG_LEVEL',
    help: 'lowest level that is logged',
    fallback: 'info',
    parse: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  },
} as const;
