import type { Queryable } from '../db/database.js';
import type { Dimension } from './dimensions.js';
import { FIGURE_COLUMNS } from './figure-rows.js';
import type { Parameters } from './parameters.js';
import { shardSql } from './shards.js';
import { daysOf, type StatsWindow } from './window.js';

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

/** How long a click may take to reach the log in normal operation. */
const STORED_WITHIN = '1 second';

/** Returns the moment up to which the stored clicks of the environment have been counted. */
export async function readAsOf(snapshot: Queryable, { environment_number }: StatsWindow): Promise<string> {
  const { rows } = await snapshot.query<{ as_of: Date }>({
    name: 'read_figures_as_of',
    text: `SELECT least(min(from_at), now() - interval '${STORED_WITHIN}') AS as_of FROM click_batches WHERE shard = ${shardSql('$1::integer')}`,
    values: [environment_number],
  });
  return (rows[0] as { as_of: Date }).as_of.toISOString();
}
