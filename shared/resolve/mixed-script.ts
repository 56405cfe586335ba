/**
 * Whether a host label mixes scripts that no orthography mixes: beyond "Highly Restrictive" of UTS #39, section 5.2
 * (https://www.unicode.org/reports/tr39/#Restriction_Level_Detection). One script passes, and so do Latin with Japanese,
 * with Chinese and Bopomofo, and with Korean; digits and hyphens belong to every script.
 */

/** Recommended scripts of UAX #31, table 5. A letter of any other script counts as `Other`, which mixes with nothing. */
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
] as const;

const IN_SCRIPT = SCRIPTS.map((script) => ({ script, test: new RegExp(`^\\p{Script_Extensions=${script}}$`, 'u') }));
const IN_EVERY_SCRIPT = /^[\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]$/u;

/** Writing systems that use several scripts (UTS #39, section 5.1). All of them may mix with Latin. */
const WRITING_SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  Han: ['Japanese', 'Chinese', 'Korean'],
  Hiragana: ['Japanese'],
  Katakana: ['Japanese'],
  Bopomofo: ['Chinese'],
  Hangul: ['Korean'],
};
const ASIAN = ['Japanese', 'Chinese', 'Korean'];

/** Scripts and writing systems a character can belong to; null if it belongs to all. */
function systemsOf(character: string): ReadonlySet<string> | null {
  if (IN_EVERY_SCRIPT.test(character)) return null;
  const scripts = IN_SCRIPT.filter(({ test }) => test.test(character)).map(({ script }) => script);
  if (scripts.length === 0) return new Set(['Other']);
  const systems = new Set<string>(scripts);
  for (const script of scripts) for (const system of WRITING_SYSTEMS[script] ?? []) systems.add(system);
  if (systems.has('Latin')) for (const system of ASIAN) systems.add(system);
  return systems;
}

/** `label` in its Unicode form. */
export function isMixedScript(label: string): boolean {
  let common: ReadonlySet<string> | null = null;
  for (const character of label) {
    const systems = systemsOf(character);
    if (systems === null) continue;
    common = common === null ? systems : new Set([...common].filter((system: string) => systems.has(system)));
    if (common.size === 0) return true;
  }
  return false;
}
