import type { ClickDimension, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import type { SharedView } from '../../../../shared/contract/schemas/view.js';
import { csvBlob } from '../../format/csv.js';

/** Figures as files, for people with a key and for readers of a shared view. */

export function seriesCsv(series: ClicksAnswer['series']): Blob {
  const lines = series.map(({ start, date, ...counts }) => [start, date, ...countsOf(counts)]);
  return csvBlob([['start', 'date', ...COUNTS], ...lines]);
}

export function groupsCsv(by: ClickDimension, groups: ClicksAnswer['breakdown']): Blob {
  const lines = groups.map(({ name, ...group }) => [...keysOf(by, group), name ?? '', ...countsOf(group)]);
  return csvBlob([[...namesOf(by), 'name', ...COUNTS], ...lines]);
}

/** For a shared view, which contains no ids. The value of a link is its path. */
export function sharedGroupsCsv(by: ClickDimension, groups: SharedView['breakdown']): Blob {
  const lines = groups.map((group) => [...keysOf(by, group), ...countsOf(group)]);
  return csvBlob([[...namesOf(by), ...COUNTS], ...lines]);
}

const COUNTS = ['all', 'human', 'unique'] as const;

function countsOf(counts: Readonly<Record<(typeof COUNTS)[number], number>>): readonly string[] {
  return COUNTS.map((name) => String(counts[name]));
}

/** Items are only unique together with their type. */
function namesOf(by: ClickDimension): readonly string[] {
  return by === 'item' ? ['resource_type', by] : [by];
}

function keysOf(
  by: ClickDimension,
  { value, resource_type }: Pick<SharedView['breakdown'][number], 'value' | 'resource_type'>,
): readonly string[] {
  return by === 'item' ? [resource_type ?? '', value ?? ''] : [value ?? ''];
}
