import { resolve } from 'node:path';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { checkCountryFile } from '../../engine/countries/country-database.js';
import { engineSettings } from '../../engine/settings.js';
import { postgresUrl } from '../../shared/base/postgres-url.js';
import { withSecretsOfFiles } from '../../shared/base/secret-files.js';
import { sharedSettings } from '../../shared/base/service-settings.js';
import { describeSettings, readSettings, SettingError, type Settings, text } from '../../shared/base/settings.js';
import { chosenClickHouse } from '../../shared/clickhouse/chosen-store.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import type { PortRequest } from './ports.js';

function databaseUrl(value: string): string {
  return value === '' ? value : postgresUrl(value);
}

/** The settings that the local start reads itself, and that it fills in for the processes. */
export const localSettings = {
  dataDir: {
    name: 'DATA_DIR',
    help: 'folder of all state: database, store, click spool, keys',
    fallback: '.data',
    parse: (value: string) => resolve(value),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    help: 'PostgreSQL connection string; empty: an embedded PostgreSQL in DATA_DIR',
    fallback: '',
    parse: databaseUrl,
    secret: true,
  },
  embeddedPostgresDir: {
    name: 'EMBEDDED_POSTGRES_DIR',
    help: 'folder of the embedded database if root starts the service: PostgreSQL then runs as a user that cannot access DATA_DIR',
    fallback: '/var/lib/link-service',
    parse: (value: string) => resolve(value),
  },
  secretsKeys: {
    ...sharedSettings.secretsKeys,
    help: `${sharedSettings.secretsKeys.help}; empty: a key is created once, in DATA_DIR/secrets-key`,
    fallback: '',
  },
  outboundAllow: sharedSettings.outboundAllow,
  linkScheme: { ...sharedSettings.linkScheme, fallback: 'http' },
  linkPort: {
    ...sharedSettings.linkPort,
    help: 'port of short URLs as shown; 0 leaves it out; empty: the one of ENGINE_PORT',
    fallback: '',
    parse: text,
  },
  logLevel: { ...sharedSettings.logLevel, fallback: 'warn' },
} as const;

export type LocalSettings = Settings<typeof localSettings>;

export const USAGE = `Starts the whole service on this machine: PostgreSQL, control plane and engine.

  npm start             start, or start again, with the state in DATA_DIR
  npm start -- --help   this text

Settings are environment variables (default in parentheses):

${describeSettings([controlPlaneSettings, engineSettings, localSettings])}
`;

export interface LocalStart {
  readonly local: LocalSettings;
  readonly ports: {
    readonly controlPlane: PortRequest;
    readonly controlPlaneAdmin: PortRequest;
    readonly engine: PortRequest;
    readonly engineAdmin: PortRequest;
    /** Null if the link hosts are not served over TLS. */
    readonly engineTls: PortRequest | null;
  };
  /** TLS_CERTIFICATES_DIR. */
  readonly certificatesDir: string;
}

/** Checks the settings of every process before any of them is started. Throws `SettingError` with one line. */
export function readLocalStart(environment: NodeJS.ProcessEnv): LocalStart {
  const given = withSecretsOfFiles(localSettings, environment);
  const local = readSettings(localSettings, given);
  if (local.secretsKeys !== '') parseSecretKeys(local.secretsKeys);
  const complete = {
    ...given,
    DATABASE_URL: local.databaseUrl || 'postgres://127.0.0.1/',
    SECRETS_KEYS: local.secretsKeys || 'local',
  };
  const controlPlane = readSettings(controlPlaneSettings, withSecretsOfFiles(controlPlaneSettings, complete));
  const engine = readSettings(engineSettings, complete);
  checkCountryFile(engine.countryDatabase);
  chosenClickHouse(controlPlane);
  return {
    local,
    ports: {
      controlPlane: { setting: controlPlaneSettings.port.name, host: controlPlane.host, port: controlPlane.port },
      controlPlaneAdmin: { setting: controlPlaneSettings.adminPort.name, host: controlPlane.adminHost, port: controlPlane.adminPort },
      engine: { setting: engineSettings.port.name, host: engine.host, port: engine.port },
      engineAdmin: { setting: engineSettings.adminPort.name, host: engine.adminHost, port: engine.adminPort },
      engineTls:
        engine.tlsCertificatesDir === '' ? null : { setting: engineSettings.tlsPort.name, host: engine.host, port: engine.tlsPort },
    },
    certificatesDir: engine.tlsCertificatesDir,
  };
}

/** Returns `help` or `start`. Throws `SettingError` that names the first unknown parameter. */
export function readParameters(parameters: readonly string[]): 'help' | 'start' {
  const unknown = parameters.find((parameter) => parameter !== '--help' && parameter !== '-h');
  if (unknown !== undefined) throw new SettingError(`unknown parameter "${unknown}"; npm start -- --help lists them`);
  return parameters.length > 0 ? 'help' : 'start';
}
