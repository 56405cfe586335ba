/**
 * Settings come from the environment alone. A process declares its settings as a table of rows; the table is also what
 * `--help` prints, so that no setting can exist without its line of help.
 */
export interface Setting<Value> {
  /** Name of the environment variable. */
  readonly name: string;
  /** What `--help` says, in one line, with the unit. */
  readonly help: string;
  /** Text used if the variable is absent or empty; null if the setting is required. */
  readonly fallback: string | null;
  /** Returns the value of the text, or throws `SettingError` with what is wrong. */
  readonly parse: Parse<Value>;
  /**
   * Whether the value gives access to something. It must not appear in a log, or in a file that others may read. It may
   * be in a file of its own: see `withSecretsOfFiles`.
   */
  readonly secret?: boolean;
}

export interface Parse<Value> {
  (text: string): Value;
  /** The accepted values, such as `0 to 65535`; absent if the help says it. */
  readonly bound?: string;
}

export type Settings<Table extends Record<string, Setting<unknown>>> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

/** Its message is one line that can be printed as it is before the process ends. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Reads every row of the table, or throws a `SettingError` that names the first setting that is missing or malformed. */
export function readSettings<Table extends Record<string, Setting<unknown>>>(
  table: Table,
  environment: NodeJS.ProcessEnv,
): Settings<Table> {
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(table)) {
    const text = environment[setting.name] || setting.fallback;
    if (text === null) throw new SettingError(`${setting.name} is missing: ${setting.help}`);
    try {
      values[key] = setting.parse(text);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      throw new SettingError(`${setting.name} is malformed: ${error.message}`);
    }
  }
  return values as Settings<Table>;
}

/** The name of the variable that names a file with the setting. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/** Returns the lines of `--help`, one per setting. */
export function describeSettings(tables: readonly Record<string, Setting<unknown>>[]): string {
  const rows = new Map<string, Setting<unknown>>();
  for (const table of tables) for (const setting of Object.values(table)) rows.set(setting.name, setting);
  const width = Math.max(...[...rows.keys()].map((name) => name.length));
  const fallback = ({ fallback }: Setting<unknown>) => (fallback === null ? ' (required)' : fallback === '' ? '' : ` (${fallback})`);
  const file = ({ name, secret }: Setting<unknown>) => (secret === true ? `; or ${fileVariable(name)}: a file that contains it` : '');
  return [...rows.values()].map((row) => `  ${row.name.padEnd(width)}  ${row.help}${file(row)}${fallback(row)}`).join('\n');
}

export const text = (value: string): string => value;

export function integer(min: number, max: number): Parse<number> {
  const parse = (value: string): number => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max)
      throw new SettingError(`expected a whole number from ${min} to ${max}, got "${value}"`);
    return number;
  };
  return Object.assign(parse, { bound: max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}` });
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Parse<Choice> {
  const parse = (value: string): Choice => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new SettingError(`expected one of ${choices.join(', ')}, got "${value}"`);
    return found;
  };
  return Object.assign(parse, { bound: choices.join(', ') });
}

const readFlag = oneOf(['true', 'false']);

export const flag: Parse<boolean> = Object.assign((value: string) => readFlag(value) === 'true', { bound: readFlag.bound ?? '' });

/** What is accepted where the help says of what the list is, and how it is written. */
export const LIST = 'list';

/** Comma-separated values; empty text is an empty list. */
export function list<Value>(parse: (value: string) => Value): Parse<readonly Value[]> {
  const parts = (value: string) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(parse);
  return Object.assign(parts, { bound: LIST });
}
