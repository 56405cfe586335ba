import { isObject } from '../../../shared/base/issue.js';

/** https://api-spec.shlink.io, "List short URL redirect rules": the first rule of which all conditions are met says where a visitor goes. */
export interface ShlinkRule {
  readonly longUrl: string;
  /** The rule with the lowest number is tried first. */
  readonly priority?: number;
  readonly conditions: readonly ShlinkCondition[];
}

interface ShlinkCondition {
  readonly type: string;
  readonly matchKey?: string | null;
  readonly matchValue?: string | null;
}

/** What a link has for redirect rules. */
export interface RuleFields {
  readonly destinations: { readonly [Device in ShlinkDevice]?: string };
  readonly geo: Readonly<Record<string, string>>;
  /** The rules that a link cannot have, each with its conditions. */
  readonly lost: readonly string[];
}

/** The devices that are platforms of a link. Others, such as `mobile` and `linux`, are parts of platforms or several of them. */
type ShlinkDevice = 'ios' | 'android' | 'desktop';

const COUNTRY = /^[A-Za-z]{2}$/;

/**
 * The fields of a link that leads everyone where the rules do, except for those that are lost. A link tries its own fields in one order:
 * `ios` and `android`, then the country, then `desktop`. So a rule is lost if a rule before it would be tried after it.
 */
export function fieldsOfRules(rules: readonly ShlinkRule[]): RuleFields {
  const destinations: { [Device in ShlinkDevice]?: string } = {};
  const geo: Record<string, string> = {};
  const lost: string[] = [];
  const ordered = rules.toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
  for (const [index, { longUrl, conditions }] of ordered.entries()) {
    const only = conditions.length === 1 ? conditions[0] : undefined;
    const device = deviceOf(only);
    const country = countryOf(only);
    // An earlier rule with the same condition leaves no visitors for this one.
    if ((device !== null && device in destinations) || (country !== null && country in geo)) continue;
    if (device === 'desktop' || (device !== null && Object.keys(geo).length === 0)) destinations[device] = longUrl;
    else if (country !== null && destinations.desktop === undefined) geo[country] = longUrl;
    else lost.push(textOf({ longUrl, conditions }, index + 1));
  }
  return { destinations, geo, lost };
}

function deviceOf(condition: ShlinkCondition | undefined): ShlinkDevice | null {
  const device = condition?.type === 'device' ? condition.matchValue?.toLowerCase() : null;
  return device === 'ios' || device === 'android' || device === 'desktop' ? device : null;
}

function countryOf(condition: ShlinkCondition | undefined): string | null {
  const country = condition?.type === 'geolocation-country-code' ? (condition.matchValue ?? '') : '';
  return COUNTRY.test(country) ? country.toUpperCase() : null;
}

/** `redirect rule 2 (language=fr, query-param=foo=bar): https://shop.example/fr` */
function textOf({ longUrl, conditions }: ShlinkRule, number: number): string {
  const texts = conditions.map(({ type, matchKey, matchValue }) => [type, matchKey, matchValue].filter(Boolean).join('='));
  return `redirect rule ${number} (${texts.join(', ')}): ${longUrl}`;
}

/** Whether the value is a list of rules as the service documents it. */
export function areRules(value: unknown): value is readonly ShlinkRule[] {
  return (
    Array.isArray(value) && value.every((rule) => isObject(rule) && typeof rule.longUrl === 'string' && areConditions(rule.conditions))
  );
}

function areConditions(value: unknown): boolean {
  const isText = (member: unknown) => member === undefined || member === null || typeof member === 'string';
  return (
    Array.isArray(value) &&
    value.every(
      (condition) =>
        isObject(condition) && typeof condition.type === 'string' && isText(condition.matchKey) && isText(condition.matchValue),
    )
  );
}
