import { type ClosedDays, countClicks, FIGURE_COLUMNS } from './counting.js';
import { type ClosedSpan, closedSpan } from './days.js';
import type { Dimension } from './dimensions.js';
import type { Parameters } from './parameters.js';
import type { Tail } from './tail.js';
import { daysOf, type StatsWindow } from './window.js';

/** Whose clicks: of an environment, or of one of its links or campaigns. */
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
  /** Days of the stored figures; all of the window where they are absent. What waits to be counted may be of any of its days. */
  readonly storedDays?: readonly string[];
}

/**
 * Common table expressions, of which the last, `figure`, has every row of the selection: those that are stored, and
 * beside them what the tail of the click log adds. `environment_number, day, dimension, subject_id, campaign, value,
 * clicks, human, visitors`; rows of one key add up.
 */
export function selectFigures(
  { scope, dimensions, storedDays = daysOf(scope.window) }: FigureSelection,
  tail: Tail | null,
  parameters: Parameters,
): string {
  const { window, link, campaign } = scope;
  const { add } = parameters;
  const environment = add(window.environment_number);
  const ofScope = [
    ...(link === undefined ? [] : [`subject_id = ${add(link)}::uuid`]),
    ...(campaign === undefined ? [] : [`campaign = ${add(campaign)}`]),
  ];
  const stored = [
    `environment_number = ${environment}`,
    `day = ANY (${add(storedDays)}::date[])`,
    `dimension = ANY (${add(dimensions)}::click_dimension[])`,
    ...ofScope,
    // What the figures of one link are found by begins so.
    ...(link === undefined ? [] : [`campaign = ''`]),
  ];
  const select = `SELECT ${FIGURE_COLUMNS} FROM click_figures WHERE ${stored.join(' AND ')}`;
  if (tail === null) return `figure AS (${select})`;
  const fromAt = later(tail.from_at, window.from_at);
  const endAt = earlier(tail.end_at, window.to_at);
  const condition = [
    `environment_number = ${environment}`,
    `batch_id >= ${add(tail.first_batch_id)}`,
    'batch_id IN (SELECT batch_id FROM click_batches)',
    // Instants at hand leave the partitions of other days out of the plan.
    `occurred_at >= ${add(fromAt)} AND occurred_at < ${add(endAt)}`,
    ...ofScope,
  ].join(' AND ');
  const days = `day BETWEEN ${add(window.from)}::date AND ${add(window.to)}::date`;
  const closed = closedDays(closedSpan(fromAt, endAt, tail.open_from), tail.open_from, parameters);
  const counted = countClicks({ condition, days, dimensions, ...closed });
  return `${counted}, figure AS (${select} UNION ALL SELECT ${FIGURE_COLUMNS} FROM counted)`;
}

/** Where the visitors of closed days are looked for: among the clicks of those days that wait for nothing. */
export function closedDays(span: ClosedSpan | null, openFrom: string, { add }: Parameters): { readonly closed?: ClosedDays } {
  if (span === null) return {};
  return {
    closed: {
      condition: `occurred_at >= ${add(span.from_at)} AND occurred_at < ${add(span.end_at)}
        AND NOT EXISTS (SELECT FROM click_batches AS batch WHERE batch.batch_id = clicks.batch_id)`,
      days: `day < ${add(openFrom)}::date`,
    },
  };
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
