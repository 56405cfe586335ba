import UserAgentParser from 'ua-parser-js';
import type { Visitor } from '../../../shared/resolve/recognise-visitor.js';

/** What a visitor's user agent says of the program and its system; '' for what it does not say. */
export interface VisitorProgram {
  readonly os: string;
  readonly browser: string;
  /** Its first number. */
  readonly browser_version: string;
}

/** The parser's expressions take time that grows with the square of a text: 0.25 ms for the worst one of this length, 27 ms for one twice as long. */
const PARSED_CHARACTERS_MAX = 512;
const MAJOR_DIGITS_MAX = 4;

/** What the parser calls otherwise than their makers do. */
const OS_NAMES: Readonly<Record<string, string>> = { 'Mac OS': 'macOS', 'Chromium OS': 'ChromeOS' };
/** The system tells browsers of phones apart. */
const BROWSER_NAMES: Readonly<Record<string, string>> = {
  'Mobile Safari': 'Safari',
  'Mobile Chrome': 'Chrome',
  'Mobile Firefox': 'Firefox',
  GSA: 'Google',
};

/** `visitor` is what the user agent comes to with its client hints: what calls itself a desktop may be a tablet. */
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
