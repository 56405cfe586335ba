import { daysOfRange } from '../../../shared/base/day-ranges.js';
import { exactCount } from './numbers.js';
import { dateAndTime, relativeTime, wholeDay } from './times.js';

const SOME_TIME = '2026-01-01T00:00:00Z';

/**
 * A text of each kind, written to nobody: the first one takes a browser as long as drawing several rows of a table, since it looks up how the
 * language writes them.
 */
export const FIRST_FORMATS: readonly (() => unknown)[] = [
  () => exactCount(0),
  () => dateAndTime(SOME_TIME, 'UTC'),
  () => wholeDay('2026-01-01'),
  () => relativeTime(SOME_TIME, Date.parse(SOME_TIME)),
  () => daysOfRange('today', 'UTC', Date.parse(SOME_TIME)),
];
