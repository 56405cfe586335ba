import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { CLICK_TABLES, CONFIGURATION_TABLES, PEOPLE_TABLES } from '../../../control-plane/erasure/tables.js';

/** Tables whose rows are not erased with an environment, each with the reason. */
const OTHERS: Readonly<Record<string, string>> = {
  projects: 'deleted last',
  erased_environments: 'their numbers, so that their last clicks are not stored',
  environments: 'deleted last',
  click_top_lists: 'go with click_top_windows',
  click_tops: 'go with click_top_lists',
  click_columns: 'go with click_column_days',
  click_day_groups: 'go with click_column_days',
  view_shares: 'go with saved_views',
  click_batches: 'times and numbers of clicks of the whole installation, until they are counted',
  click_log_batches: 'times and numbers of batches of clicks of the whole installation, for an hour',
  click_shards: 'how often the figures of sixteenths of all environments changed',
  click_intents: 'how far files of hosts are about to be shipped',
  click_segments: 'how far files of hosts are shipped',
  config_feed: 'ids of objects: the newest rows tell engines of the erasure, and older ones are pruned',
  config_feed_state: 'of the installation',
  control_planes: 'of the installation',
  engines: 'of the installation',
  hash_keys: 'keys of days, for hashes of all environments',
  user_agents: 'texts that browsers send, shared by all environments',
  blocklist_entries: 'of the operator',
  blocklist_lists: 'of the operator',
  blocklist_scan: 'of the operator',
};

t.test('every table of the schema is erased with its environment or has a reason not to be', async (t) => {
  const schema = readFileSync(fileURLToPath(new URL('../../../../control-plane/migrations/schema.sql', import.meta.url)), 'utf8');
  const tables = [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE public\.(\w+)/gm)].map(([, name]) => name as string);
  const erased = [...CLICK_TABLES, ...PEOPLE_TABLES, ...CONFIGURATION_TABLES].map(({ table }) => table);
  t.strictSame([...erased, ...Object.keys(OTHERS)].sort(), tables.sort());
});
