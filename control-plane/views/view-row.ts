import { formatInstant } from '../../shared/base/instant.js';
import type { View } from '../../shared/contract/schemas/view.js';

/** The query of a view. */
export type ViewQuery = Pick<View, 'range' | 'from' | 'to' | 'interval' | 'breakdown' | 'measure' | 'compare' | 'filters'>;

/** A row of `saved_views` as its statements read and write it. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly query: ViewQuery;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function viewOfRow({ id, name, query, created_at, updated_at }: ViewRow): View {
  return { id, name, ...query, created_at: formatInstant(created_at.getTime()), updated_at: formatInstant(updated_at.getTime()) };
}
