import t from 'tap';
import { linkdServiceSettings, linkdSettings } from '../../control-plane/cli/settings.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { localSettings, USAGE } from '../../deploy/local/settings.js';
import { CHILD_ENVIRONMENT } from '../../engine/processes/messages.js';
import { engineSettings } from '../../engine/settings.js';
import { sharedSettings } from '../../shared/base/service-settings.js';
import type { Setting } from '../../shared/base/settings.js';
import { readTreeFile, sourceFiles } from '../support/source-tree.js';

const TABLES = [controlPlaneSettings, engineSettings, localSettings];
const DECLARED = new Set(TABLES.flatMap((table) => Object.values(table).map(({ name }) => name)));

/** Variables that are not settings of an operator, each with the reason. */
const NOT_SETTINGS: Readonly<Record<string, string>> = {
  PATH: 'handed to the programs that are started',
  [CHILD_ENVIRONMENT.slot]: 'from the supervisor to its children',
  [CHILD_ENVIRONMENT.addressKey]: 'from the supervisor to its children',
  NODE_OPTIONS: "Node.js's own: handed on to redirect processes with what they get besides",
  LINK_SERVICE_KEY: "a customer's: the server SDK reads it in their program",
  UWS_HTTP_MAX_HEADERS_SIZE: 'written, not read: uWebSockets.js reads it when it is loaded',
};

/** The tables that an operator's environment is read by. */
const NAMED: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  shared: sharedSettings,
  'control plane': controlPlaneSettings,
  engine: engineSettings,
  linkd: linkdSettings,
  'linkd service': linkdServiceSettings,
  'local start': localSettings,
};

/** Settings that differ from the first table with their name, each with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'linkd DATA_DIR': 'linkd reads only the credentials in this folder',
  'local start DATA_DIR': 'the local start keeps everything in this folder, and hands it on as an absolute path',
  'local start DATABASE_URL': 'optional, because the local start has a PostgreSQL of its own',
  'local start SECRETS_KEYS': 'optional, because the local start creates a key',
  'local start PUBLIC_LINK_SCHEME': 'the local start serves no TLS',
  'local start PUBLIC_LINK_PORT': 'the local start shows the port that it serves',
  'local start LOG_LEVEL': 'the local start shows its address, and not what its processes do',
};

t.test('every environment variable that is read is declared in a table of settings', async (t) => {
  const production = sourceFiles().filter((file) => /^(shared|engine|control-plane|deploy)\//.test(file));
  for (const file of production)
    for (const [, name] of readTreeFile(file).matchAll(/process\.env(?:\.|\[['"])([A-Z][A-Z0-9_]*)/g))
      if (!DECLARED.has(name as string) && NOT_SETTINGS[name as string] === undefined)
        t.fail(`${file} reads ${name}: declare it in a table of settings`);
  t.ok(production.length > 50);
});

t.test('--help of the start lists every setting of every process once', async (t) => {
  for (const name of DECLARED) t.equal(USAGE.split('\n').filter((line) => line.trim().split(/\s/)[0] === name).length, 1, name);
});

t.test('every setting has a name in upper case and a help text', async (t) => {
  const base = { ...controlPlaneSettings, ...engineSettings };
  for (const table of TABLES)
    for (const setting of Object.values(table)) {
      t.match(setting.name, /^[A-Z][A-Z0-9_]*$/);
      t.ok(setting.help.length > 10, setting.name);
    }
  t.ok(Object.keys(base).length > 10);
});

t.test('settings of one name have the same help, default, parser and secrecy in every table, or a reason why not', async (t) => {
  const firsts = new Map<string, Setting<unknown>>();
  const different: string[] = [];
  for (const [table, settings] of Object.entries(NAMED))
    for (const setting of Object.values(settings)) {
      const first = firsts.get(setting.name) ?? setting;
      firsts.set(setting.name, first);
      const isSame = (['help', 'fallback', 'parse', 'secret'] as const).every((member) => setting[member] === first[member]);
      if (!isSame) different.push(`${table} ${setting.name}`);
      t.equal(setting.secret, first.secret, `${table} ${setting.name}: a secret is one in every table`);
    }
  t.same(different.sort(), Object.keys(DIFFERENT).sort(), 'use the setting of the other table, or list the reason');
});
