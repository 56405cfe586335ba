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
 * The first script of the page, and a short one: what the first screen needs is under way before the page's own script has come. Screens
 * that people open most are named here, with what they ask the API for as long as nobody has chosen anything.
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
// The page waits for its texts, and says so if they cannot be loaded.
if (wantedLanguage() === 'de') import('./language/german.js').catch(() => {});
const session = readStoredSession();
const screen = SCREENS[location.hash.slice(1) || '/'];
if (session !== null && !location.hash.startsWith('#/shared/')) {
  askEarly(session.server, session.keys[session.shown] as string, ['/environment', '/key', ...(screen?.asks ?? [])]);
  // A screen that cannot be loaded is asked for again by the page, which says so.
  screen?.load().catch(() => {});
}
void page.then(({ show }) => show());
