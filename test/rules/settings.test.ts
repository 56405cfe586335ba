import t from 'tap';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { localSettings, USAGE } from '../../deploy/local/settings.js';
import { CHILD_ENVIRONMENT } from '../../engine/processes/messages.js';
import { engineSettings } from '../../engine/settings.js';
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
