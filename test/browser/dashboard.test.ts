import t from 'tap';
import { openBrowser } from '../support/browser.js';
import { analyticsTours } from './dashboard/analytics.js';
import { anywhereTours } from './dashboard/anywhere.js';
import { campaignsTours } from './dashboard/campaigns.js';
import { everyScreenTours } from './dashboard/every-screen.js';
import { failureTours } from './dashboard/failures.js';
import { healthTours } from './dashboard/health.js';
import { keyboardTours } from './dashboard/keyboard.js';
import { linksTours } from './dashboard/links.js';
import { resourceTypesTours } from './dashboard/resource-types.js';
import { settingsTours } from './dashboard/settings.js';
import { signInTours } from './dashboard/sign-in.js';
import { startDashboardStack } from './dashboard/stack.js';
import { webhooksTours } from './dashboard/webhooks.js';

const stack = await startDashboardStack(t);
const port = Number(new URL(stack.origin).port);
const browser = await openBrowser(t, { http: port, https: port });

const tours = {
  ...signInTours,
  ...linksTours,
  ...campaignsTours,
  ...resourceTypesTours,
  ...webhooksTours,
  ...settingsTours,
  ...healthTours,
  ...failureTours,
  ...anywhereTours,
  ...everyScreenTours,
  ...analyticsTours,
  ...keyboardTours,
};

/** One after the other in the one browser; on a machine without one `openBrowser` has said what is left out. */
if (browser !== null) for (const [name, tour] of Object.entries(tours)) void t.test(name, (t) => tour(t, { ...stack, browser }));
