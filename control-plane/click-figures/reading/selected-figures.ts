import type { Parameters } from '../../db/parameters.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import type { Dimension } from '../dimensions.js';
import { FIGURE_COLUMNS } from '../figure-tables.js';

/** Which clicks to read: those of an environment, or of one of its links or campaigns. */
export interface FigureScope {
  readonly window: StatsWindow;
  /** The link's id as `uuid`. */
  readonly link?: string;
  /** The campaign's key. */
  readonly campaign?: string;
}

export interface FigureSelection {
  readonly scope: FigureScope;
  readonly dimensions: readonly Dimension[];
  /** Days whose stored figures are read; all days of the window by default. */
  readonly storedDays?: readonly string[];
}

/** A statement that selects the rows of the selection. Rows with the same key have to be added up. */
export function selectFigures({ scope, dimensions, storedDays = daysOf(scope.window) }: FigureSelection, { add }: Parameters): string {
  const { window, link, campaign } = scope;
  const conditions = [
    `environment_number = ${add(window.environment_number)}`,
    `day = ANY (${add(storedDays)}::date[])`,
    `dimension = ANY (${add(dimensions)}::click_dimension[])`,
    // The index by which the figures of one link are found begins with these columns.
    ...(link === undefined ? [] : [`campaign = ''`, `subject_id = ${add(link)}::uuid`]),
    ...(campaign === undefined ? [] : [`campaign = ${add(campaign)}`]),
  ];
  return `SELECT ${FIGURE_COLUMNS} FROM click_figures WHERE ${conditions.join(' AND ')}`;
}
