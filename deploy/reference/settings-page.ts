import { linkdServiceSettings, linkdSettings } from '../../control-plane/cli/settings.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { engineSettings } from '../../engine/settings.js';
import { fileVariable, type Setting } from '../../shared/base/settings.js';
import { localSettings } from '../local/settings.js';
import { cell, code, table } from './markdown.js';

/**
 * The programs that read settings, each with its tables. The local start passes on what the engine and the control plane read, and has its
 * own defaults.
 */
const READERS: readonly (readonly [string, readonly Readonly<Record<string, Setting<unknown>>>[]])[] = [
  ['engine', [engineSettings]],
  ['control plane', [controlPlaneSettings]],
  ['`npm start`', [localSettings]],
  ['`linkd`', [linkdSettings, linkdServiceSettings]],
];

/** A setting as one reader has it. */
interface Reading {
  readonly reader: string;
  readonly setting: Setting<unknown>;
}

/** Settings by name, each with its readers. */
export function settingsByName(): ReadonlyMap<string, readonly Reading[]> {
  const found = new Map<string, Reading[]>();
  for (const [reader, tables] of READERS)
    for (const setting of tables.flatMap((settings) => Object.values(settings)))
      found.set(setting.name, [...(found.get(setting.name) ?? []), { reader, setting }]);
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function settingsPage(): string {
  const settings = [...settingsByName()];
  const secrets = settings.filter(([, readings]) => isSecret(readings)).map(([name]) => code(name));
  return `# Settings

Settings are environment variables. An empty one counts as absent. If one is malformed, the program does not start, and prints a line
that names it. \`linkd doctor\` checks all of them.

## All settings

${table(['Setting', 'What it is', 'Default', 'Values', 'Secret', 'Read by'], settings.map(rowOf))}

## Secrets

${secrets.join(', ')} give access to what the service keeps. Keep them out of logs, and out of files that other users can read.

You can put each of them into a file of one line instead, which is read at start: the variable with \`_FILE\` at the end of its name, such
as \`DATABASE_URL_FILE\`, names the file. If both are set, the program does not start.

## Malformed values

A process that finds a setting missing or malformed prints one line and ends with exit code 1; \`linkd\` ends with 2.
`;
}

function rowOf([name, readings]: readonly [string, readonly Reading[]]): readonly string[] {
  const [first] = readings as [Reading];
  const defaults = new Map<string, string[]>();
  for (const { reader, setting } of readings) {
    const text = defaultOf(setting);
    defaults.set(text, [...(defaults.get(text) ?? []), reader]);
  }
  const byReader = [...defaults].map(([text, readers]) => (defaults.size === 1 ? text : `${text} (${readers.join(', ')})`));
  return [
    code(name),
    cell(first.setting.help),
    byReader.join('; '),
    cell(first.setting.parse.bound ?? 'text'),
    isSecret(readings) ? `yes; or ${code(fileVariable(name))}` : 'no',
    readings.map(({ reader }) => reader).join(', '),
  ];
}

function isSecret(readings: readonly Reading[]): boolean {
  return readings.some(({ setting }) => setting.secret === true);
}

function defaultOf({ fallback }: Setting<unknown>): string {
  if (fallback === null) return 'required';
  return fallback === '' ? 'empty' : code(fallback);
}
