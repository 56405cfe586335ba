import t from 'tap';
import { campaignsTours } from './dashboard/campaigns.js';
import { exportsTours } from './dashboard/exports.js';
import { healthTours } from './dashboard/health.js';
import { importsTours } from './dashboard/imports.js';
import { linksTours } from './dashboard/links.js';
import { resourceTypesTours } from './dashboard/resource-types.js';
import { runTours } from './dashboard/run-tours.js';
import { settingsTours } from './dashboard/settings.js';
import { shownValuesTours } from './dashboard/shown-values.js';
import { signInTours } from './dashboard/sign-in.js';
import { webhooksTours } from './dashboard/webhooks.js';

// The purpose of each screen.
await runTours(t, {
  ...signInTours,
  ...linksTours,
  ...importsTours,
  ...campaignsTours,
  ...resourceTypesTours,
  ...webhooksTours,
  ...settingsTours,
  ...healthTours,
  ...exportsTours,
  // Last, because its domains and tags stay.
  ...shownValuesTours,
});
