/** How the rows of a table name the environment they belong to: as its number, as its id, or through another table's id. */
type Owner =
  | 'environment_number'
  | 'environment_id'
  | { readonly column: string; readonly through: 'api_keys' | 'webhook_endpoints' | 'resource_types' | 'links' };

export interface OwnedTable {
  readonly table: string;
  readonly owner: Owner;
}

/**
 * The log of visits and all that is counted from it: erased under the lock of the figures, or a count that is under way
 * would bring back what it had read.
 */
export const CLICK_TABLES: readonly OwnedTable[] = [
  { table: 'clicks', owner: 'environment_number' },
  { table: 'open_clicks', owner: 'environment_number' },
  { table: 'click_devices', owner: 'environment_number' },
  { table: 'click_figures', owner: 'environment_number' },
  { table: 'click_breakdowns', owner: 'environment_number' },
  { table: 'click_breakdown_changes', owner: 'environment_number' },
  { table: 'click_visits', owner: 'environment_number' }, // written by the release before
  { table: 'click_top_windows', owner: 'environment_number' }, // click_top_lists and click_tops go with it
  { table: 'click_summed_days', owner: 'environment_number' }, // rows of click_sums in ClickHouse go with the clicks there
  { table: 'click_grouped_days', owner: 'environment_number' }, // click_day_groups and click_day_tags go with it
];

/** What else visitors, apps and their events leave. */
export const PEOPLE_TABLES: readonly OwnedTable[] = [
  { table: 'imported_clicks', owner: { column: 'link_id', through: 'links' } },
  { table: 'installs', owner: 'environment_id' },
  { table: 'tracked_events', owner: 'environment_id' },
  { table: 'app_opens', owner: 'environment_id' },
  { table: 'webhook_deliveries', owner: 'environment_id' },
  { table: 'events', owner: 'environment_id' },
  { table: 'idempotency_keys', owner: { column: 'key_id', through: 'api_keys' } }, // answers to apps' calls stand there for a day
  { table: 'idempotency_runs', owner: { column: 'key_id', through: 'api_keys' } },
];

/** What customers set up, in the order in which rows that refer to others go. */
export const CONFIGURATION_TABLES: readonly OwnedTable[] = [
  { table: 'api_keys', owner: 'environment_id' },
  { table: 'click_listeners', owner: 'environment_id' },
  { table: 'webhook_backlogs', owner: { column: 'webhook_id', through: 'webhook_endpoints' } },
  { table: 'webhook_endpoints', owner: 'environment_id' },
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
  { table: 'saved_views', owner: 'environment_id' }, // view_shares go with them
  { table: 'tags', owner: 'environment_id' },
  { table: 'click_tag_changes', owner: 'environment_number' }, // the end of a tag is one of them
  { table: 'campaigns', owner: 'environment_id' },
  { table: 'domains', owner: 'environment_id' },
];
