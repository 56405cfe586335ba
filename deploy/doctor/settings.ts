import type { Finding } from '../../control-plane/cli/finding.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { checkCountryFile } from '../../engine/countries/country-database.js';
import { engineSettings } from '../../engine/settings.js';
import { withSecretsOfFiles } from '../../shared/base/secret-files.js';
import { readSettings, type Setting, SettingError } from '../../shared/base/settings.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';
import { failure, ok } from './findings.js';

/** Settings whose values are otherwise checked only when they are used. */
const FORMS: Readonly<Record<string, (text: string) => unknown>> = { SECRETS_KEYS: parseSecretKeys, COUNTRY_DATABASE: checkCountryFile };

/** Reads every setting of the engine and the control plane separately, so that all faults are reported and not only the first one. */
export function settingsFindings(environment: NodeJS.ProcessEnv): readonly Finding[] {
  const rows = new Map<string, Setting<unknown>>();
  for (const table of [controlPlaneSettings, engineSettings]) for (const setting of Object.values(table)) rows.set(setting.name, setting);
  const faults = [...rows.values()].flatMap((setting) => faultOf(setting, environment));
  if (faults.length > 0) return faults;
  const given = [...rows.keys()].filter((name) => (environment[name] ?? '') !== '').length;
  return [ok('settings', `${rows.size} settings are valid; ${given} of them are set.`)];
}

function faultOf(setting: Setting<unknown>, environment: NodeJS.ProcessEnv): readonly Finding[] {
  try {
    const complete = withSecretsOfFiles({ setting }, environment);
    readSettings({ setting }, complete);
    FORMS[setting.name]?.(complete[setting.name] ?? '');
    return [];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return [failure('settings', `${error.message}.`, `${setting.name}=<${setting.help}>`)];
  }
}

/** The environment with the secrets from files. A file that cannot be read is skipped here and reported as a finding. */
export function withReadableSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  let complete = environment;
  for (const setting of Object.values({ ...controlPlaneSettings, ...engineSettings })) {
    try {
      complete = withSecretsOfFiles({ setting }, complete);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
    }
  }
  return complete;
}

/** The value of one setting, or its default if the value is malformed, which is reported as a finding. */
export function settingOf<Value>(setting: Setting<Value>, environment: NodeJS.ProcessEnv): Value {
  try {
    return readSettings({ setting }, environment).setting;
  } catch (error) {
    if (!(error instanceof SettingError) || setting.fallback === null) throw error;
    return setting.parse(setting.fallback);
  }
}
