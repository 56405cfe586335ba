import { escapeHtml } from '../../../shared/base/escape-html.js';
import { type Brand, mark, renderPage, scriptPageCsp } from './html.js';
import type { Language } from './language.js';
import { PROJECT, TEXTS } from './texts/texts.js';

/** A page that a person opens the app from: no system opens an app from a redirect alone. */
export interface OpenPage {
  readonly brand: Brand;
  readonly language: Language;
  /** What the button leads to: the link, an `intent:` URL or the app's own scheme; '' where there is only the store to go to. */
  readonly open_url: string;
  /** The app's page in a store; '' where none is known. */
  readonly store_url: string;
  /** Where a browser goes on without the app; '' where a store is known, or nothing. */
  readonly web_url: string;
  /** The link with its click alone, which a tap on the store's link leaves in the clipboard for the app to find at its first open; '' for nothing. */
  readonly copied_url: string;
  /** `intent:` URL that is tried once without a tap; '' for none. */
  readonly attempt_url: string;
  /** The page is shown inside another app, whose browser may open no apps. */
  readonly in_app: boolean;
}

/** Time for the system to take the app to the front, after which the store is shown. */
export const OPEN_ATTEMPT_MS = 1500;

/**
 * Leaves the link in the clipboard where somebody goes on to the App Store, which hands nothing over: by the old command,
 * which is done when it returns, while the newer interface may still be at it when the page is gone. Then tries the app
 * once, and goes to the store unless the page went out of sight: then the app has opened. Addresses come from attributes,
 * so that the text of the script, and with it the hash in the policy, is always the same.
 */
const SCRIPT = `(function(){var o=document,b=o.body,d=b.dataset,g=o.querySelector('[data-copy]');
if(g)g.addEventListener('click',function(){var a=o.createElement('textarea');a.value=g.dataset.copy;
b.append(a);a.select();o.execCommand('copy');a.remove()});
if(!d.attempt||!d.store)return;
var t=setTimeout(function(){if(!o.hidden)location.replace(d.store)},${OPEN_ATTEMPT_MS});
function stop(){clearTimeout(t)}
o.addEventListener('visibilitychange',function(){if(o.hidden)stop()});
addEventListener('pagehide',stop);location.href=d.attempt})()`;

export const OPEN_PAGE_CSP = scriptPageCsp(SCRIPT);

export function renderOpenPage(page: OpenPage): string {
  const { brand, language } = page;
  const texts = TEXTS[language];
  const { title, text } = page.open_url === '' ? texts.get : texts.open;
  const heading = escapeHtml(title).replaceAll(PROJECT, () => brand.name);
  const hint = page.in_app ? `\n<p class="note" role="note">${escapeHtml(texts.in_app_hint)}</p>` : '';
  const copy = page.copied_url === '' ? '' : ` data-copy="${escapeHtml(page.copied_url)}"`;
  const actions = [
    action(page.open_url, texts.open_button),
    action(page.store_url, texts.get_button, copy),
    action(page.web_url, texts.web_link),
  ]
    .filter((link) => link !== null)
    .map(
      ({ href, label, more }, index) => `<a class="${index === 0 ? 'main' : 'second'}" href="${href}" rel="noreferrer"${more}>${label}</a>`,
    );
  const attempt =
    page.attempt_url === '' || page.store_url === ''
      ? ''
      : ` data-attempt="${escapeHtml(page.attempt_url)}" data-store="${escapeHtml(page.store_url)}"`;
  return renderPage({
    language,
    title: heading,
    head: '<meta name="robots" content="noindex">\n',
    bodyAttributes: attempt,
    main: `${mark(brand)}<h1>${heading}</h1>\n<p>${escapeHtml(text)}</p>${hint}\n<div class="actions">\n${actions.join('\n')}\n</div>`,
    script: SCRIPT,
  });
}

interface Action {
  readonly href: string;
  readonly label: string;
  /** Further attributes. */
  readonly more: string;
}

/** A link as HTML; null where there is nowhere to go. */
function action(url: string, label: string, more = ''): Action | null {
  return url === '' ? null : { href: escapeHtml(url), label: escapeHtml(label), more };
}
