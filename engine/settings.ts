import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { engineConnections } from '../shared/base/database-connections.js';
import { WEBHOOK_BACKLOG_MAX } from '../shared/base/limits.js';
import { sharedSettings } from '../shared/base/service-settings.js';
import { flag, integer, LIST, list, oneOf, SettingError, type Settings, text } from '../shared/base/settings.js';
import { listenHost } from '../shared/net/listen-host.js';
import { proxySettings } from '../shared/net/proxy-settings.js';
import { tracingSettings } from '../shared/tracing/settings.js';
import type { EngineProfile } from './membership/engine-rows.js';

/** Without a bound, the time of the next attempt may be one that PostgreSQL cannot store. */
const RETRY_DELAY_SECONDS_MAX = 30 * 86_400;

function retryDelays(value: string): readonly number[] {
  const parts = value.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^\d+$/.test(part) && Number(part) <= RETRY_DELAY_SECONDS_MAX))
    throw new SettingError(`expected whole seconds from 0 to ${RETRY_DELAY_SECONDS_MAX}, comma-separated, got "${value}"`);
  return parts.map(Number);
}

/** A field name of RFC 9110, section 5.1. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Listeners report header names in lower case. */
function headerName(value: string): string {
  if (value !== '' && !HEADER_NAME.test(value))
    throw new SettingError(`expected the name of a header such as CF-IPCountry, got "${value}"`);
  return value.toLowerCase();
}

const processes = integer(0, 128);

/** What a host may do for the installation; `shared/decisions/2026-11-24-roles-of-engine-hosts.md`. */
export const ENGINE_ROLES = ['redirect', 'background', 'webhooks'] as const;
export type EngineRole = (typeof ENGINE_ROLES)[number];

function roles(value: string): readonly EngineRole[] {
  const chosen = list(oneOf(ENGINE_ROLES))(value);
  if (chosen.length === 0) throw new SettingError(`expected one or more of ${ENGINE_ROLES.join(', ')}, comma-separated`);
  return ENGINE_ROLES.filter((role) => chosen.includes(role));
}

export const engineSettings = {
  ...sharedSettings,
  ...proxySettings,
  ...tracingSettings,
  port: { name: 'ENGINE_PORT', help: 'port of the link hosts; 0 chooses a free one', fallback: '8080', parse: integer(0, 65535) },
  host: { name: 'ENGINE_HOST', help: 'address on which the link hosts listen; 0.0.0.0 for all', fallback: '127.0.0.1', parse: listenHost },
  tlsCertificatesDir: {
    name: 'TLS_CERTIFICATES_DIR',
    help: 'folder of certificate chains and private keys (PEM, any file names) to serve the link hosts over TLS too; read again when files change',
    fallback: '',
    parse: text,
  },
  tlsPort: {
    name: 'ENGINE_TLS_PORT',
    help: 'port of the link hosts over TLS, if TLS_CERTIFICATES_DIR is set; 0 chooses a free one',
    fallback: '8443',
    parse: integer(0, 65535),
  },
  adminPort: {
    name: 'ENGINE_ADMIN_PORT',
    help: 'port of health and metrics; 0 chooses a free one',
    fallback: '9090',
    parse: integer(0, 65535),
  },
  adminHost: { name: 'ENGINE_ADMIN_HOST', help: 'address of health and metrics', fallback: '127.0.0.1', parse: listenHost },
  roles: {
    name: 'ENGINE_ROLES',
    help: 'what the host does, comma-separated: redirect (link hosts), background (calls of metadata APIs, for all hosts), webhooks (deliveries)',
    fallback: ENGINE_ROLES.join(','),
    parse: Object.assign(roles, { bound: LIST }),
  },
  processes: {
    name: 'REDIRECT_PROCESSES',
    help: 'redirect processes; 0 starts one per core',
    fallback: '0',
    parse: Object.assign((value: string) => processes(value) || availableParallelism(), { bound: processes.bound ?? '' }),
  },
  listener: { name: 'ENGINE_LISTENER', help: 'HTTP server of the link hosts', fallback: 'uws', parse: oneOf(['uws', 'node']) },
  dataDir: { name: 'DATA_DIR', help: 'folder of the store and the click spool', fallback: '.data', parse: text },
  spoolBytesMax: {
    name: 'SPOOL_BYTES_MAX',
    help: 'size limit of the click spool on disk, in bytes; beyond it clicks are dropped and counted',
    fallback: String(2 * 1024 ** 3),
    parse: integer(64 * 1024 ** 2, Number.MAX_SAFE_INTEGER),
  },
  spoolMapped: {
    name: 'SPOOL_MAPPED',
    help: 'write clicks through mapped memory; false: one write per click',
    fallback: 'true',
    parse: flag,
  },
  spoolSegmentSeconds: {
    name: 'SPOOL_SEGMENT_SECONDS',
    help: 'seconds after which a file of clicks is closed even if it is not full, so that it can be stored and removed',
    fallback: '60',
    parse: integer(1, 86_400),
  },
  spoolKeepSeconds: {
    name: 'SPOOL_KEEP_SECONDS',
    help: 'seconds that clicks stay in the spool after they were stored; if the database loses them in a failover, they are stored again',
    fallback: '600',
    parse: integer(0, 86_400),
  },
  countryHeader: {
    name: 'COUNTRY_HEADER',
    help: "header in which a trusted proxy sends the visitor's country; ignored from all other clients",
    fallback: '',
    parse: headerName,
  },
  regionHeader: {
    name: 'REGION_HEADER',
    help: 'header in which that proxy sends the region for clicks, as ISO 3166-2 (DE-BE) or only its second part (BE); requires COUNTRY_HEADER',
    fallback: '',
    parse: headerName,
  },
  cityHeader: {
    name: 'CITY_HEADER',
    help: 'header in which that proxy sends the name of the city for clicks, in UTF-8, percent-encoded or not; requires COUNTRY_HEADER',
    fallback: '',
    parse: headerName,
  },
  countryDatabase: {
    name: 'COUNTRY_DATABASE',
    help: 'IP address database in MaxMind format (.mmdb) with countries and possibly regions and cities, for destinations by country and for clicks; used if no proxy sends the country',
    fallback: '',
    parse: text,
  },
  honoursOptOut: {
    name: 'HONOUR_OPT_OUT',
    help: 'store visits whose browser sends Sec-GPC: 1 or DNT: 1 without address, country, region, city and visitor hash',
    fallback: 'false',
    parse: flag,
  },
  webhookRetryDelays: {
    name: 'WEBHOOK_RETRY_DELAYS',
    help: 'seconds between the attempts of a delivery, comma-separated',
    // As in the contract: 44 h 36 min in total, so a receiver that is down for a day of a weekend still gets everything.
    fallback: '60,300,1800,7200,21600,43200,86400',
    parse: Object.assign(retryDelays, { bound: LIST }),
  },
  webhookBacklogMax: {
    name: 'WEBHOOK_BACKLOG_MAX',
    help: 'deliveries of click.created that may wait for one webhook endpoint; further clicks are counted but not sent to it',
    fallback: String(WEBHOOK_BACKLOG_MAX),
    parse: integer(1, 100_000_000),
  },
  webhookThreads: { name: 'WEBHOOK_THREADS', help: 'threads that deliver webhooks', fallback: '2', parse: integer(1, 64) },
} as const;

export type EngineSettings = Settings<typeof engineSettings>;

/** Returns what the host does: what ENGINE_ROLES says, but without a queue (QUEUE_DATABASE_URL=none) it delivers nothing. */
export function rolesInForce({ roles, queueDatabaseUrl }: Pick<EngineSettings, 'roles' | 'queueDatabaseUrl'>): readonly EngineRole[] {
  return queueDatabaseUrl === 'none' ? roles.filter((role) => role !== 'webhooks') : roles;
}

/** Returns what the engine's row says about its host. */
export function profileOf(settings: Pick<EngineSettings, 'roles' | 'processes' | 'databasePoolUrl' | 'queueDatabaseUrl'>): EngineProfile {
  const roles = rolesInForce(settings);
  const redirectProcesses = roles.includes('redirect') ? settings.processes : 0;
  const size = { redirectProcesses, delivers: roles.includes('webhooks'), pooled: settings.databasePoolUrl !== '' };
  return { roles, connections: engineConnections(size) };
}

/** Folder of the click spool: written by the redirect processes, emptied by `background`. */
export function spoolFolder(dataDir: string): string {
  return join(dataDir, 'spool');
}

/** The lock file, which identifies the supervisor of the engine that runs on the host. */
export function engineLock(dataDir: string): string {
  return join(engineFolder(dataDir), 'lock');
}

/** The folder in which the supervisor keeps its state and that of its children. */
export function engineFolder(dataDir: string): string {
  return join(dataDir, 'engine');
}
