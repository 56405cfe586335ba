import { groupBy } from '../base/group-by.js';
import { CANDIDATE_CLICKS_MAX, CANDIDATE_CLICKS_OF_VISIT_MAX } from '../base/limits.js';

/**
 * What may be known about a device on either side. Facts never make a match and never prevent one: they break ties. A
 * time zone is not among them, because apps report it but no browser that follows a link does, so there is nothing to
 * compare it with.
 */
export interface DeviceFacts {
  /** BCP 47 tag, with `-` or `_`. */
  readonly language: string | null;
  readonly model: string | null;
  /** Width and height in physical pixels, `1179x2556`, in either order. */
  readonly screen: string | null;
}

/** A click that an open may belong to. */
export interface CandidateClick extends DeviceFacts {
  readonly occurred_at: Date;
  /** Equal for the clicks of one visitor on one link or item, among clicks of one network; null if it is not known. */
  readonly visit: string | null;
}

const TIE_BREAKERS = ['language', 'screen', 'model'] as const;
export type TieBreaker = (typeof TIE_BREAKERS)[number];

/** What every candidate has in common with the open, because candidates are searched by it. */
const FOUND_BY = ['address', 'os_version'] as const;

export type ClickChoice<Click> =
  | { readonly kind: 'one'; readonly click: Click; readonly matchedFactors: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous' };

/**
 * Returns the click that an open belongs to, among the unused clicks of the same environment, platform, network and
 * version of the system: the only one, or of several the only one that no fact about the device contradicts. A click
 * with an unknown fact remains a candidate, because a match must be unique. Several clicks of one visitor on one link
 * count as one, the newest, unless their models show that they come from several devices. If there are more clicks than
 * `CANDIDATE_CLICKS_MAX`, and they are not all of one visit, no tie-breaker is applied. Pure.
 */
export function chooseClick<Click extends CandidateClick>(clicks: readonly Click[], device: DeviceFacts): ClickChoice<Click> {
  if (clicks.length === 0) return { kind: 'none' };
  if (clicks.length > (isOneVisit(clicks) ? CANDIDATE_CLICKS_OF_VISIT_MAX : CANDIDATE_CLICKS_MAX)) return { kind: 'ambiguous' };
  const candidates = newestOfVisits(clicks);
  const fitting = candidates.length === 1 ? candidates : candidates.filter((click) => !contradicts(click, device));
  const [click, ...others] = fitting;
  if (click === undefined || others.length > 0) return { kind: 'ambiguous' };
  const agreeing = TIE_BREAKERS.filter((fact) => compare(fact, click, device) === true);
  return { kind: 'one', click, matchedFactors: [...FOUND_BY, ...agreeing] };
}

/** Whether all clicks are known to be of one visitor on one link or item. */
export function isOneVisit([first, ...others]: readonly CandidateClick[]): boolean {
  return first !== undefined && first.visit !== null && others.every(({ visit }) => visit === first.visit);
}

/**
 * Returns the newest click of each visit, and every click whose visit is not known. If a page has reported the model of
 * one click and not of another, they may be one visitor's. If two models were reported, each is a visitor of its own.
 */
function newestOfVisits<Click extends CandidateClick>(clicks: readonly Click[]): readonly Click[] {
  const visits = groupBy(clicks, ({ visit }) => visit);
  const unknown = visits.get(null) ?? [];
  visits.delete(null);
  return [...unknown, ...[...visits.values()].flatMap((visit) => devicesOf(visit).map(newestOf))];
}

/** Groups the clicks of one visit by device. There is one group, unless several models are known. */
function devicesOf<Click extends CandidateClick>(visit: readonly Click[]): readonly (readonly Click[])[] {
  const devices = groupBy(visit, ({ model }) => model);
  return devices.size - (devices.has(null) ? 1 : 0) <= 1 ? [visit] : [...devices.values()];
}

function newestOf<Click extends CandidateClick>(clicks: readonly Click[]): Click {
  return clicks.reduce((newest, click) => (click.occurred_at > newest.occurred_at ? click : newest));
}

function contradicts(click: DeviceFacts, device: DeviceFacts): boolean {
  return TIE_BREAKERS.some((fact) => compare(fact, click, device) === false);
}

/** Null if either value is unknown. */
function compare(fact: TieBreaker, click: DeviceFacts, device: DeviceFacts): boolean | null {
  const one = click[fact];
  const other = device[fact];
  return one === null || other === null ? null : SAME[fact](one, other);
}

const SAME: Readonly<Record<TieBreaker, (one: string, other: string) => boolean | null>> = {
  language: sameLanguage,
  screen: sameScreen,
  model: (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase(),
};

/**
 * Languages must be equal, and countries too if both name one. Scripts are ignored, because browsers and systems do not write them alike.
 * So are regions of several countries, such as `419` (Latin America), because a phone there also names its country.
 */
function sameLanguage(one: string, other: string): boolean | null {
  const [first, second] = [parseLanguage(one), parseLanguage(other)];
  if (first === null || second === null) return null;
  return first.language === second.language && (first.country === '' || second.country === '' || first.country === second.country);
}

/** Codes that Android and its apps still write for languages that have another code now; `no` is both written forms of Norwegian. */
const RENAMED_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['ji', 'yi'],
  ['no', 'nb'],
  ['tl', 'fil'],
]);

/** RFC 5646, section 2.1: a country has two letters, a region of several countries three digits. */
function parseLanguage(tag: string): { readonly language: string; readonly country: string } | null {
  const [language = '', ...subtags] = tag.trim().toLowerCase().split(/[-_]/);
  if (!/^[a-z]{2,3}$/.test(language)) return null;
  const country = subtags.find((subtag) => /^[a-z]{2}$/.test(subtag)) ?? '';
  return { language: RENAMED_LANGUAGES.get(language) ?? language, country };
}

/** Turning a phone swaps its sides. */
function sameScreen(one: string, other: string): boolean | null {
  const [first, second] = [parseScreen(one), parseScreen(other)];
  return first === null || second === null ? null : first === second;
}

function parseScreen(text: string): string | null {
  const found = /^\s*(\d{2,5})\s*[x×]\s*(\d{2,5})\s*$/i.exec(text);
  if (found === null) return null;
  const [width, height] = [Number(found[1]), Number(found[2])];
  return `${Math.min(width, height)}x${Math.max(width, height)}`;
}
