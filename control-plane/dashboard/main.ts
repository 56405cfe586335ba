import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/lists.css';
import './styles/figures.css';
import './styles/card-gallery.css';
import './styles/palette.css';
import './styles/forced-colours.css';
import { askEarly } from './api/early-answers.js';
import { wantedLanguage } from './language/chosen.js';
import { readStoredSession } from './session/stored-session.js';

/**
 * The first script of the page. It is short, and requests what the first screen needs before the page's main script has loaded. The screens
 * that people open most are listed here, with the API calls that they make as long as no filters are chosen.
 */
const SCREENS: Readonly<Record<string, FirstScreen>> = {
  '/': {
    load: () => import('./screens/overview.js').then(() => import('./charts/plot.js')),
    asks: ['/links?limit=5', '/webhooks?limit=5', '/resource-types?limit=1', '/stats?range=7d', '/resources/stats?range=7d'],
  },
  '/links': {
    load: () => import('./screens/links/link-list.js'),
    asks: ['/links?limit=50&include=daily_clicks', '/campaigns?limit=25', '/tags?limit=100', '/domains?limit=100&status=verified'],
  },
  '/links/new': { load: () => import('./screens/links/new-link.js'), asks: [] },
  '/analytics': {
    load: () => import('./screens/analytics/analytics.js').then(() => import('./charts/plot.js')),
    asks: [
      '/stats/clicks?range=last_30_days&interval=day&compare=true',
      '/stats/clicks?range=last_30_days&breakdown=link&limit=101',
      '/views?limit=100',
      '/tags?limit=100',
    ],
  },
};

interface FirstScreen {
  load(): Promise<unknown>;
  readonly asks: readonly string[];
}

const page = import('./page.js');
// The page waits for its texts, and reports if they cannot be loaded.
if (wantedLanguage() === 'de') import('./language/german.js').catch(() => {});
const session = readStoredSession();
const screen = SCREENS[location.hash.slice(1) || '/'];
if (session !== null && !location.hash.startsWith('#/shared/')) {
  askEarly(session.server, session.keys[session.shown] as string, ['/environment', '/key', ...(screen?.asks ?? [])]);
  // If a screen cannot be loaded, the page tries again and reports the failure.
  screen?.load().catch(() => {});
}
void page.then(({ show }) => show());
