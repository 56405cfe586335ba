import type { ClickDimension, ClicksAnswer } from '../../../../shared/contract/schemas/clicks-query.js';
import type { SharedView } from '../../../../shared/contract/schemas/view.js';
import { csvBlob } from '../../format/csv.js';

/** Figures as files, for those with a key and for readers of a shared view. */

export function seriesCsv(series: ClicksAnswer['series']): Blob {
  const lines = series.map(({ start, date, all, human, unique }) => [start, date, String(all), String(human), String(unique)]);
  return csvBlob([['start', 'date', 'all', 'human', 'unique'], ...lines]);
}

export function groupsCsv(by: ClickDimension, groups: ClicksAnswer['breakdown']): Blob {
  const lines = groups.map(({ value, name, all, human, unique }) => [value ?? '', name ?? '', String(all), String(human), String(unique)]);
  return csvBlob([[by, 'name', 'all', 'human', 'unique'], ...lines]);
}

/** Of a shared view, which has no ids: what it calls a link is its value. */
export function sharedGroupsCsv(by: ClickDimension, groups: SharedView['breakdown']): Blob {
  const lines = groups.map(({ value, all, human, unique }) => [value ?? '', String(all), String(human), String(unique)]);
  return csvBlob([[by, 'all', 'human', 'unique'], ...lines]);
}
