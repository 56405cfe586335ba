import { sharedSettings } from '../../shared/base/service-settings.js';
import { text } from '../../shared/base/settings.js';
import { controlPlaneSettings } from '../settings.js';

/** Settings of the developers' commands, which use a server's REST API and not its database. */
export const linkdSettings = {
  apiKey: {
    name: 'LINKD_API_KEY',
    help: 'linkd: secret key for listen, trigger and deliveries',
    fallback: '',
    parse: text,
    secret: true,
  },
  baseUrl: { name: 'LINKD_BASE_URL', help: 'linkd: address of the API, such as http://localhost:3000/v1', fallback: '', parse: text },
  dataDir: { name: 'DATA_DIR', help: 'folder with credentials.json, which the local start writes', fallback: '.data', parse: text },
  serviceName: sharedSettings.serviceName,
} as const;

/** Settings of the operator's commands, which work on the database. Each is read by the commands that need it. */
export const linkdServiceSettings = {
  databaseUrl: sharedSettings.databaseUrl,
  clickStore: sharedSettings.clickStore,
  clickHouseUrl: sharedSettings.clickHouseUrl,
  clickRetentionDays: controlPlaneSettings.clickRetentionDays,
  secretsKeys: sharedSettings.secretsKeys,
  linkScheme: sharedSettings.linkScheme,
  linkPort: sharedSettings.linkPort,
} as const;
