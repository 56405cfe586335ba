import UserAgentParser from 'ua-parser-js';
import type { Visitor } from '../../../shared/resolve/recognise-visitor.js';

/** What a visitor's user agent says about the program and its system; '' for what it does not say. */
export interface VisitorProgram {
  readonly os: string;
  readonly browser: string;
  /** The first number of the version. */
  readonly browser_version: string;
}

/**
 * The time of the parser's expressions grows with the square of the text's length: 0.25 ms for the worst text of this length,
 * 27 ms for one twice as long.
 */
const PARSED_CHARACTERS_MAX = 512;
const MAJOR_DIGITS_MAX = 4;

/** Systems that the parser names differently from their makers. */
const OS_NAMES: Readonly<Record<string, string>> = { 'Mac OS': 'macOS', 'Chromium OS': 'ChromeOS' };
/** Phone browsers get the name of the desktop browser, because the system already distinguishes them. */
const BROWSER_NAMES: Readonly<Record<string, string>> = {
  'Mobile Safari': 'Safari',
  'Mobile Chrome': 'Chrome',
  'Mobile Firefox': 'Firefox',
  GSA: 'Google',
};

/**
 * `visitor` is the result for the user agent together with its client hints: a browser that claims to be on a desktop may be on
 * a tablet.
 */
export function programOf(userAgent: string, { platform }: Visitor): VisitorProgram {
  const parser = new UserAgentParser(userAgent.slice(0, PARSED_CHARACTERS_MAX));
  const { name: browser = '', major = '' } = parser.getBrowser();
  return {
    os: platform === 'ios' ? 'iOS' : platform === 'android' ? 'Android' : osNameOf(parser.getOS().name ?? ''),
    browser: BROWSER_NAMES[browser] ?? browser,
    browser_version: browser !== '' && new RegExp(`^\\d{1,${MAJOR_DIGITS_MAX}}$`).test(major) ? major : '',
  };
}

function osNameOf(name: string): string {
  return OS_NAMES[name] ?? name;
}
