import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { RELAY_RANGES_MAX } from '../shared/base/limits.js';
import { sharedSettings } from '../shared/base/service-settings.js';
import { flag, integer, list, SettingError, type Settings } from '../shared/base/settings.js';
import { AddressRanges } from '../shared/net/address-ranges.js';
import { listenHost } from '../shared/net/listen-host.js';
import { proxySettings } from '../shared/net/proxy-settings.js';
import { tracingSettings } from '../shared/tracing/settings.js';

/** An address that Node.js accepts for a DNS server, such as 127.0.0.1:5353 or [::1]:53. */
function dnsServer(value: string): string {
  const [, bracketed, plain, port = '53'] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(value) ?? [];
  const address = bracketed ?? plain ?? value;
  if (isIP(address) === 0) throw new SettingError(`expected addresses such as 127.0.0.1 or 127.0.0.1:5353, got "${value}"`);
  if (Number(port) < 1 || Number(port) > 65_535) throw new SettingError(`expected ports from 1 to 65535, got "${value}"`);
  return value;
}

/** Reads the CIDRs of a file, one per line. Ignores what follows a comma, empty lines, and lines that begin with #. */
function readRelayRanges(path: string): readonly string[] {
  if (path === '') return [];
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingError(`cannot read "${path}": ${(error as NodeJS.ErrnoException).code}`);
  }
  const lines = text.split('\n').map((line) => (line.split(',', 1)[0] as string).trim());
  const cidrs = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (cidrs.length > RELAY_RANGES_MAX) throw new SettingError(`"${path}" has more than ${RELAY_RANGES_MAX} networks`);
  if (AddressRanges.parse(cidrs) === null) {
    const culprit = cidrs.find((cidr) => AddressRanges.parse([cidr]) === null);
    throw new SettingError(`"${path}" has a line that is not a CIDR range: "${culprit}"`);
  }
  return cidrs;
}

export const controlPlaneSettings = {
  ...sharedSettings,
  ...proxySettings,
  ...tracingSettings,
  port: { name: 'CONTROL_PLANE_PORT', help: 'port of the REST API; 0 chooses a free one', fallback: '3000', parse: integer(0, 65535) },
  host: {
    name: 'CONTROL_PLANE_HOST',
    help: 'address on which the REST API listens; 0.0.0.0 for all',
    fallback: '127.0.0.1',
    parse: listenHost,
  },
  adminPort: {
    name: 'CONTROL_PLANE_ADMIN_PORT',
    help: 'port of health and metrics; 0 chooses a free one',
    fallback: '9091',
    parse: integer(0, 65535),
  },
  adminHost: { name: 'CONTROL_PLANE_ADMIN_HOST', help: 'address of health and metrics', fallback: '127.0.0.1', parse: listenHost },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    help: 'requests per minute for each secret key; 0 turns the limit off',
    fallback: '60000',
    parse: integer(0, 100_000_000),
  },
  addressRateLimitPerMinute: {
    name: 'SDK_RATE_LIMIT_PER_MINUTE',
    help: 'requests per minute to /sdk/* from each address (IPv6: each /64); 0 turns the limit off',
    fallback: '6000',
    parse: integer(0, 100_000_000),
  },
  urlOpensPerMinute: {
    name: 'URL_OPENS_PER_MINUTE',
    help: 'first opens of apps per minute from each address that name only a URL, without a click to use up; 0 turns the limit off',
    // On the day of a launch, a carrier's address has many phones behind it. Without any limit, a public key can make 654 a second.
    fallback: '600',
    parse: integer(0, 100_000_000),
  },
  relayRanges: {
    name: 'RELAY_RANGES_FILE',
    help: "file of further networks whose addresses are never used to match installs, one CIDR per line, such as Apple's egress-ip-ranges.csv",
    fallback: '',
    parse: readRelayRanges,
  },
  migrateAtStart: {
    name: 'MIGRATE_AT_START',
    help: 'migrate the database to the newest schema before serving; otherwise run "linkd migrate"',
    fallback: 'false',
    parse: flag,
  },
  clickRetentionDays: {
    name: 'CLICK_RETENTION_DAYS',
    help: 'days that clicks are kept; older days are deleted from the click log and from all statistics',
    fallback: '400',
    parse: integer(1, 36_500),
  },
  eventRetentionDays: {
    name: 'EVENT_RETENTION_DAYS',
    help: 'days that tracked events and opens of apps are kept',
    fallback: '400',
    parse: integer(1, 36_500),
  },
  installRetentionDays: {
    name: 'INSTALL_RETENTION_DAYS',
    help: 'days that an installation is kept after its first open; if it is reported again later, it counts as new',
    fallback: '1095',
    parse: integer(90, 36_500),
  },
  domainDnsServers: {
    name: 'DOMAIN_DNS_SERVERS',
    help: 'DNS servers for the records of custom domains: addresses, with a port if it is not 53, comma-separated; empty: those of the system',
    fallback: '',
    parse: list(dnsServer),
  },
  databaseConnections: {
    name: 'DATABASE_CONNECTIONS',
    help: 'connections to PostgreSQL for calls of the API; background work has connections of its own',
    fallback: '16',
    parse: integer(2, 500),
  },
} as const;

export type ControlPlaneSettings = Settings<typeof controlPlaneSettings>;

/** For how many days data are kept. */
export interface Retention {
  readonly clicks: number;
  /** Tracked events, and opens of apps. */
  readonly events: number;
  /** From the first open on. */
  readonly installs: number;
}

export function retentionOf(settings: ControlPlaneSettings): Retention {
  return { clicks: settings.clickRetentionDays, events: settings.eventRetentionDays, installs: settings.installRetentionDays };
}
