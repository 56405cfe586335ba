import { CAMPAIGN_ROUTES } from './routes/campaigns.js';
import { DOMAIN_ROUTES } from './routes/domains.js';
import { ENVIRONMENT_ROUTES } from './routes/environment.js';
import { EVENT_ROUTES } from './routes/events.js';
import { EXPORT_ROUTES } from './routes/exports.js';
import { HEALTH_ROUTES } from './routes/health.js';
import { IMPORT_ROUTES } from './routes/imports.js';
import { INSTALL_ROUTES } from './routes/installs.js';
import { KEY_ROUTES } from './routes/keys.js';
import { LINK_ROUTES } from './routes/links.js';
import { METADATA_API_ROUTES } from './routes/metadata-api.js';
import { RESOURCE_TYPE_ROUTES } from './routes/resource-types.js';
import { RESOURCE_ROUTES } from './routes/resources.js';
import type { Route, UntaggedRoute } from './routes/route.js';
import { SDK_ROUTES } from './routes/sdk.js';
import { STATS_ROUTES } from './routes/stats.js';
import { TAG_ROUTES } from './routes/tags.js';
import { URL_TEMPLATE_ROUTES } from './routes/url-templates.js';
import { VIEW_ROUTES } from './routes/views.js';
import { WEBHOOK_ROUTES } from './routes/webhooks.js';

/** Adds the tag to the rows of a file, which all have the same one. */
function tagged<Rows extends Readonly<Record<string, UntaggedRoute>>>(tag: string, rows: Rows) {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, { ...row, tag }])) as {
    readonly [Id in keyof Rows]: Rows[Id] & Pick<Route, 'tag'>;
  };
}

/** The route table: one row per endpoint, keyed by its operation id. The rows are in `routes/`, one file for each resource. */
export const ROUTES = {
  ...tagged('Links', LINK_ROUTES),
  ...tagged('Resource types', RESOURCE_TYPE_ROUTES),
  ...tagged('Metadata API', METADATA_API_ROUTES),
  ...tagged('URL templates', URL_TEMPLATE_ROUTES),
  ...tagged('Resources', RESOURCE_ROUTES),
  ...tagged('Statistics', STATS_ROUTES),
  ...tagged('Views', VIEW_ROUTES),
  ...tagged('Campaigns', CAMPAIGN_ROUTES),
  ...tagged('Tags', TAG_ROUTES),
  ...tagged('Domains', DOMAIN_ROUTES),
  ...tagged('Environment', ENVIRONMENT_ROUTES),
  ...tagged('Environment', KEY_ROUTES),
  ...tagged('Environment', HEALTH_ROUTES),
  ...tagged('Events', EVENT_ROUTES),
  ...tagged('Exports', EXPORT_ROUTES),
  ...tagged('Imports', IMPORT_ROUTES),
  ...tagged('SDK', SDK_ROUTES),
  ...tagged('Installs', INSTALL_ROUTES),
  ...tagged('Webhooks', WEBHOOK_ROUTES),
} satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type OperationId = keyof Routes;
export const OPERATION_IDS = Object.keys(ROUTES) as readonly OperationId[];

/** The row as the general type, for code that treats all rows alike. */
export function routeOf(operation: OperationId): Route {
  return ROUTES[operation];
}
