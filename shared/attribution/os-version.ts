/**
 * The part of a version that an open and its click must have in common. The last number is left out, because it changes
 * with every security update.
 */
export interface OsVersion {
  readonly major: number;
  readonly minor: number;
}

const VERSION = /^(\d{1,5})(?:\.(\d{1,5}))?(?:\.\d{1,10}){0,4}$/;
const NUMBER_MAX = 0xffff;

/** Returns major and minor of dotted numbers such as `17.5.1`; a minor that is left out is 0. Null if the text is not a version. */
export function parseOsVersion(text: string): OsVersion | null {
  const found = VERSION.exec(text);
  if (found === null) return null;
  const major = Number(found[1]);
  const minor = Number(found[2] ?? 0);
  return major <= NUMBER_MAX && minor <= NUMBER_MAX ? { major, minor } : null;
}
