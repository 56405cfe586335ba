import { escapeHtml } from '../../../shared/base/escape-html.js';
import { renderPage, scriptPageCsp } from './html.js';

/** A page that a person opens the app from: no system opens an app from a redirect alone. */
export interface OpenPage {
  readonly project_name: string;
  /** What the button leads to: the link, an `intent:` URL or the app's own scheme. */
  readonly open_url: string;
  /** The app's page in a store, or another way on; '' where there is none. */
  readonly store_url: string;
  /** `intent:` URL that is tried once without a tap; '' for none. */
  readonly attempt_url: string;
  /** The page is shown inside another app, whose browser opens no apps. */
  readonly in_app: boolean;
}

/** Time for the system to take the app to the front, after which the store is shown. */
export const OPEN_ATTEMPT_MS = 1500;

/**
 * Tries the app once, then goes to the store unless the page went out of sight: then the app has opened. Addresses come
 * from attributes, so that the text of the script, and with it the hash in the policy, is always the same.
 */
const SCRIPT = `(function(){var d=document.body.dataset;if(!d.attempt||!d.store)return;
var t=setTimeout(function(){if(!document.hidden)location.replace(d.store)},${OPEN_ATTEMPT_MS});
function stop(){clearTimeout(t)}
document.addEventListener('visibilitychange',function(){if(document.hidden)stop()});
addEventListener('pagehide',stop);location.href=d.attempt})()`;

export const OPEN_PAGE_CSP = scriptPageCsp(SCRIPT);

export function renderOpenPage(page: OpenPage): string {
  const name = escapeHtml(page.project_name);
  const hint = page.in_app
    ? '<p class="note" role="note">This browser is part of another app and cannot open apps. Choose “Open in browser” in its menu, then tap the button.</p>\n'
    : '';
  const store = page.store_url === '' ? '' : `\n<p><a href="${escapeHtml(page.store_url)}" rel="noreferrer">Get the app</a></p>`;
  const attempt =
    page.attempt_url === '' || page.store_url === ''
      ? ''
      : ` data-attempt="${escapeHtml(page.attempt_url)}" data-store="${escapeHtml(page.store_url)}"`;
  return renderPage({
    title: `Open in ${page.project_name}`,
    head: '<meta name="robots" content="noindex">\n',
    bodyAttributes: attempt,
    main: `<p class="name">${name}</p>
<h1>Open this link in the app</h1>
${hint}<p><a class="open" href="${escapeHtml(page.open_url)}" rel="noreferrer">Open</a></p>${store}`,
    script: SCRIPT,
  });
}
