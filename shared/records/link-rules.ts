import type { LinkRecord } from './records.js';

/** When, where, how often and for whom a link leads on. Most links have no rules, and only links that have some pay for them. */
export interface LinkRules {
  /** Milliseconds since the epoch; 0 if the link works from the beginning. */
  readonly active_from_ms: number;
  /** Null if its clicks are not counted before they are answered. */
  readonly max_clicks: number | null;
  /** All of `max_clicks` were used. */
  readonly used_up: boolean;
  /** The hash of the password, as `hashPassword` gives it; null if none is asked for. */
  readonly password: string | null;
  /** Destinations in a browser by the code of the visitor's country; null if the link has none. */
  readonly geo: Readonly<Record<string, string>> | null;
  /** Null means the setting of the environment. */
  readonly interstitial: boolean | null;
}

/** The rules as a text of the link's record; null if there are none. */
export function rulesText(rules: LinkRules): string | null {
  const { active_from_ms, max_clicks, password, geo, interstitial } = rules;
  const any = active_from_ms !== 0 || max_clicks !== null || password !== null || geo !== null || interstitial !== null;
  return any ? JSON.stringify(rules) : null;
}

export function rulesOf({ rules }: Pick<LinkRecord, 'rules'>): LinkRules | null {
  return rules === null ? null : (JSON.parse(rules) as LinkRules);
}

/**
 * Whether a visit has to be admitted before it is answered. Such a link has no open page, because a second visit by way
 * of it could not be distinguished from a first one.
 */
export function isProtected({ password, max_clicks }: LinkRules): boolean {
  return password !== null || max_clicks !== null;
}
