import { useEffect, useState } from 'react';
import { useHashLocation } from 'wouter/use-hash-location';
import type { LinkStats } from '../../../shared/contract/schemas/link-stats.js';
import { type Message, message } from '../language/text.js';
import { useStickyState } from '../session/sticky-state.js';

export type ClicksRange = LinkStats['range'];

export const RANGES = [
  { value: '7d', label: message('7 days') },
  { value: '30d', label: message('30 days') },
] as const satisfies readonly { readonly value: ClicksRange; readonly label: Message }[];

/** What the breakdowns of a screen with figures count. */
export type ClicksMeasure = 'human' | 'all' | 'unique';

/** What the user has chosen on a screen with figures. */
interface ClicksAsked {
  readonly range: ClicksRange;
  readonly count: ClicksMeasure;
}

const INITIAL: ClicksAsked = { range: '7d', count: 'human' };
const MEASURES: readonly ClicksMeasure[] = ['human', 'all', 'unique'];

/**
 * Splits an address such as `/stats/list/range=30d` into the screen and the choices made on it. The choices are null if the address has
 * none.
 */
function partsOf(location: string): { readonly screen: string; readonly asked: ClicksAsked | null } {
  const [, screen = '', parameters] = /^(.*?)(?:\/list\/(.*))?$/.exec(location) ?? [];
  if (parameters === undefined) return { screen: screen === '/' ? '' : screen, asked: null };
  const given = new URLSearchParams(parameters);
  const range = RANGES.find(({ value }) => value === given.get('range'))?.value ?? INITIAL.range;
  return { screen, asked: { range, count: MEASURES.find((name) => name === given.get('count')) ?? INITIAL.count } };
}

function currentLocation(): string {
  return `/${location.hash.replace(/^#?\/?/, '')}`;
}

const isSame = (one: ClicksAsked, other: ClicksAsked) => one.range === other.range && one.count === other.count;

/**
 * The user's choices are part of the address, so that a reload and the back button restore them. A screen whose address has none takes the
 * choices made last, on whatever screen, and writes them into its address.
 */
export function useClicksAsked(): readonly [ClicksAsked, (part: Partial<ClicksAsked>) => void] {
  const [location, navigate] = useHashLocation();
  const [kept, keep] = useStickyState<ClicksAsked>('clicks asked', INITIAL);
  const { screen, asked } = partsOf(location);
  const [own] = useState(screen);
  const put = (next: ClicksAsked, replace: boolean) => navigate(`${own}/list/range=${next.range}&count=${next.count}`, { replace });
  useEffect(() => {
    // The address may briefly be that of the next screen already, either as last drawn or only in the browser.
    if (screen !== own || partsOf(currentLocation()).screen !== own) return;
    if (asked === null && !isSame(kept, INITIAL)) put(kept, true);
    if (asked !== null && !isSame(kept, asked)) keep(asked);
  });
  const shown = asked ?? kept;
  const ask = (part: Partial<ClicksAsked>) => {
    // The back button leads to what was shown before.
    if (asked === null) put(shown, true);
    put({ ...shown, ...part }, false);
  };
  return [shown, ask];
}

export function useClicksRange(): readonly [ClicksRange, (range: ClicksRange) => void] {
  const [{ range }, ask] = useClicksAsked();
  return [range, (next) => ask({ range: next })];
}
