/** How the rows of a table refer to their environment: by its number, by its id, or through another table's id. */
type Owner =
  | 'environment_number'
  | 'environment_id'
  | { readonly column: string; readonly through: 'api_keys' | 'webhook_endpoints' | 'resource_types' | 'links' };

export interface OwnedTable {
  readonly table: string;
  readonly owner: Owner;
  /** A condition on the rows, as SQL, that are deleted in a transaction of their own before the others. */
  readonly first?: string;
}

/**
 * The log of visits and everything that is counted from it. They are erased under the lock of the figures; otherwise a count in
 * progress would store again what it had read.
 */
export const CLICK_TABLES: readonly OwnedTable[] = [
  { table: 'clicks', owner: 'environment_number' },
  { table: 'open_clicks', owner: 'environment_number' },
  { table: 'click_devices', owner: 'environment_number' },
  { table: 'click_figures', owner: 'environment_number' },
  { table: 'click_breakdowns', owner: 'environment_number' },
  { table: 'click_breakdown_changes', owner: 'environment_number' },
  { table: 'click_visits', owner: 'environment_number' }, // nothing writes it; dropped once no older control plane makes days of it
  { table: 'click_top_windows', owner: 'environment_number' }, // click_top_lists and click_tops are deleted with it
  { table: 'click_summed_days', owner: 'environment_number' }, // rows of click_sums in ClickHouse are deleted with the clicks there
  { table: 'click_column_days', owner: 'environment_number' }, // click_columns and click_day_groups are deleted with it
];

/** All other data of visitors, apps and their events. */
export const PEOPLE_TABLES: readonly OwnedTable[] = [
  { table: 'imported_clicks', owner: { column: 'link_id', through: 'links' } },
  { table: 'installs', owner: 'environment_id' },
  { table: 'tracked_events', owner: 'environment_id' },
  { table: 'app_opens', owner: 'environment_id' },
  // Engines write the outcomes of many environments at once, and would wait for a delivery under way until all others are deleted.
  { table: 'webhook_deliveries', owner: 'environment_id', first: 'leased_until IS NULL' },
  { table: 'events', owner: 'environment_id' },
  { table: 'idempotency_keys', owner: { column: 'key_id', through: 'api_keys' } }, // holds responses to apps' calls for a day
  { table: 'idempotency_runs', owner: { column: 'key_id', through: 'api_keys' } },
];

/** The configuration of customers, in an order in which rows that refer to others are deleted first. */
export const CONFIGURATION_TABLES: readonly OwnedTable[] = [
  { table: 'api_keys', owner: 'environment_id' },
  { table: 'click_listeners', owner: 'environment_id' },
  { table: 'metadata_answers', owner: { column: 'resource_type_id', through: 'resource_types' } },
  { table: 'metadata_figures', owner: { column: 'resource_type_id', through: 'resource_types' } },
  { table: 'metadata_apis', owner: 'environment_id' },
  { table: 'url_templates', owner: 'environment_id' },
  { table: 'resource_types', owner: 'environment_id' },
  { table: 'link_aliases', owner: 'environment_id' },
  { table: 'link_clicks', owner: { column: 'link_id', through: 'links' } },
  { table: 'link_click_rounds', owner: 'environment_number' },
  { table: 'link_uses', owner: { column: 'link_id', through: 'links' } },
  { table: 'links', owner: 'environment_id' },
  { table: 'saved_views', owner: 'environment_id' }, // view_shares are deleted with them
  { table: 'tags', owner: 'environment_id' },
  { table: 'campaigns', owner: 'environment_id' },
  { table: 'domains', owner: 'environment_id' },
  // Last, because engines change these rows together with those of other environments, and would wait until the transaction ends.
  { table: 'webhook_backlogs', owner: { column: 'webhook_id', through: 'webhook_endpoints' } },
  { table: 'webhook_endpoints', owner: 'environment_id' },
];
