/** Columns of `click_figures`, as SQL. Each row is a figure: the clicks of one day in one group of a dimension. */
export const FIGURE_COLUMNS = 'environment_number, day, dimension, subject_id, campaign, value, clicks, human, visitors';

/** The columns that identify a figure of a day. */
export const FIGURE_KEY = 'environment_number, dimension, campaign, subject_id, value';

/** Breakdowns and their changes since they were written, as SQL. A line replaces the same line of changes with lower numbers. */
export const ALL_BREAKDOWNS = `
  SELECT environment_number, day, campaign, subject_id, 0 AS change, figures FROM click_breakdowns
  UNION ALL
  SELECT environment_number, day, campaign, subject_id, change, figures FROM click_breakdown_changes`;
