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
import type { Route } from './routes/route.js';
import { SDK_ROUTES } from './routes/sdk.js';
import { STATS_ROUTES } from './routes/stats.js';
import { TAG_ROUTES } from './routes/tags.js';
import { URL_TEMPLATE_ROUTES } from './routes/url-templates.js';
import { VIEW_ROUTES } from './routes/views.js';
import { WEBHOOK_ROUTES } from './routes/webhooks.js';

/** The route table: one row per endpoint, keyed by its operation id. The rows stand in `routes/`, one file for each resource. */
export const ROUTES = {
  ...LINK_ROUTES,
  ...RESOURCE_TYPE_ROUTES,
  ...METADATA_API_ROUTES,
  ...URL_TEMPLATE_ROUTES,
  ...RESOURCE_ROUTES,
  ...STATS_ROUTES,
  ...VIEW_ROUTES,
  ...CAMPAIGN_ROUTES,
  ...TAG_ROUTES,
  ...DOMAIN_ROUTES,
  ...ENVIRONMENT_ROUTES,
  ...KEY_ROUTES,
  ...HEALTH_ROUTES,
  ...EVENT_ROUTES,
  ...EXPORT_ROUTES,
  ...IMPORT_ROUTES,
  ...SDK_ROUTES,
  ...INSTALL_ROUTES,
  ...WEBHOOK_ROUTES,
} as const satisfies Record<string, Route>;

export type Routes = typeof ROUTES;
export type OperationId = keyof Routes;
export const OPERATION_IDS = Object.keys(ROUTES) as readonly OperationId[];

/** The row as the general type, for code that treats all rows alike. */
export function routeOf(operation: OperationId): Route {
  return ROUTES[operation];
}
