import { daysOfRange } from '../../../shared/base/day-ranges.js';
import { exactCount } from './numbers.js';
import { dateAndTime, relativeTime, wholeDay } from './times.js';

const SOME_TIME = '2026-01-01T00:00:00Z';

/**
 * Formats one text of each kind and discards it. The first use of a format takes a browser as long as drawing several rows of a table,
 * because the browser has to look up how the language writes it.
 */
export const FIRST_FORMATS: readonly (() => unknown)[] = [
  () => exactCount(0),
  () => dateAndTime(SOME_TIME, 'UTC'),
  () => wholeDay('2026-01-01'),
  () => relativeTime(SOME_TIME, Date.parse(SOME_TIME) + 60_000),
  () => daysOfRange('today', 'UTC', Date.parse(SOME_TIME)),
];
