import { readFileSync } from 'node:fs';
import { fileVariable, type Setting, SettingError } from './settings.js';

/**
 * A secret may be in a file that `<name>_FILE` names instead of in the environment, which lists of processes and
 * containers show. Secrets of Compose and of Kubernetes and credentials of systemd are such files.
 */

const SECRET_FILE_CHARACTERS_MAX = 64 * 1024;

/**
 * Returns the environment with every secret of the table as a value, and without the names of files. Entry points of
 * processes read their settings from it, and pass it on: a child that is started later has the secrets of its siblings,
 * whatever has become of the files. Throws `SettingError` if a secret is given twice or its file cannot be used.
 */
export function withSecretsOfFiles(table: Record<string, Setting<unknown>>, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const complete = { ...environment };
  for (const { name, secret } of Object.values(table)) {
    const variable = fileVariable(name);
    const path = environment[variable] ?? '';
    if (secret !== true || path === '') continue;
    if ((environment[name] ?? '') !== '') throw new SettingError(`${name} and ${variable} are both set: remove one of them`);
    complete[name] = readSecret(variable, path);
    delete complete[variable];
  }
  return complete;
}

/** Returns the file's text without the line break that editors put at its end. */
function readSecret(variable: string, path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingError(`${variable} names "${path}", which cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  const secret = content.replace(/\r?\n$/, '');
  if (secret === '') throw new SettingError(`${variable} names "${path}", which is empty`);
  if (secret.length > SECRET_FILE_CHARACTERS_MAX || /[\n\r\0]/.test(secret))
    throw new SettingError(`${variable} names "${path}", which must be one line of text`);
  return secret;
}
