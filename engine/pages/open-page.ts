import { escapeHtml } from '../../shared/base/escape-html.js';
import { type Brand, mark, owner } from './brand.js';
import { pagePolicy, renderPage } from './html.js';
import type { Language } from './texts/language.js';
import { PROJECT } from './texts/page-texts.js';
import { TEXTS } from './texts/texts.js';

/** A page from which a person opens the app, because no system opens an app from a redirect alone. */
export interface OpenPage {
  readonly brand: Brand;
  readonly language: Language;
  /** What the button leads to: the link, an `intent:` URL or the app's own scheme; '' if only the store remains. */
  readonly open_url: string;
  /** The app's page in a store; '' if none is known. */
  readonly store_url: string;
  /** Where a browser goes on without the app; '' if there is no web page, and on Android if a store is known. */
  readonly web_url: string;
  /**
   * The link with only its click. A tap on the store's link copies it to the clipboard, where the app finds it when it is first
   * opened; '' for nothing.
   */
  readonly copied_url: string;
  /** `intent:` URL that is tried once without a tap; '' for none. */
  readonly attempt_url: string;
  /** Where the page reports what it can learn about the device; '' if the request has told everything, or the visitor has opted out. */
  readonly device_url: string;
  /** Whether the page is shown inside another app, whose browser may open no apps. */
  readonly in_app: boolean;
}

/** How long the system has to bring the app to the front before the store is shown, in milliseconds. */
export const OPEN_ATTEMPT_MS = 1500;

/**
 * Copies the link to the clipboard when somebody goes on to the App Store, which passes nothing on. It uses the old command, which
 * is done when it returns, while the newer interface may still be busy when the page is gone.
 */
export const COPY_SCRIPT = `let o=document,b=o.body,d=b.dataset,g=o.querySelector('[data-copy]');
if(g)g.onclick=()=>{let a=o.createElement('textarea');a.value=g.dataset.copy;b.append(a);a.select();o.execCommand('copy');a.remove()};`;

/** Sends what the page has learnt. The answer is empty, and nobody waits for it: the request continues when the page is left. */
export const TELL_SCRIPT = `let none=()=>{},tell=q=>fetch(d.device+q,{keepalive:true}).catch(none);`;

/**
 * Tries the app once, and goes to the store unless the page was hidden, which means that the app has opened. Addresses come from
 * attributes, so that the text of the script, and with it the hash in the policy, is always the same.
 */
const TRY_SCRIPT = `if(d.attempt&&d.store){let t=setTimeout(()=>{if(!o.hidden)location.replace(d.store)},${OPEN_ATTEMPT_MS}),stop=()=>clearTimeout(t);
o.addEventListener('visibilitychange',()=>{if(o.hidden)stop()});addEventListener('pagehide',stop);location.href=d.attempt}`;

const SCRIPT = `{${COPY_SCRIPT}
${TRY_SCRIPT}}`;

/**
 * Asks the browser for version and model before it tries the app. The attempt does not wait: the browser answers within
 * milliseconds, and the page stays until whatever comes after it has responded. A browser that refuses to answer reports nothing.
 */
const TELLING_SCRIPT = `{${COPY_SCRIPT}
${TELL_SCRIPT}
let u=navigator.userAgentData;
if(u)u.getHighEntropyValues(['platformVersion','model']).then(v=>tell('&version='+v.platformVersion+'&model='+encodeURIComponent(v.model))).catch(none);
${TRY_SCRIPT}}`;

/** The scripts of the page. It has one of them. */
export const OPEN_PAGE_SCRIPTS: readonly string[] = [SCRIPT, TELLING_SCRIPT];

const POLICY = pagePolicy({ scripts: [SCRIPT], connects: false, style: '' });
const TELLING_POLICY = pagePolicy({ scripts: [TELLING_SCRIPT], connects: true, style: '' });

/** Returns the Content-Security-Policy of the page. A page that has something to learn may send requests to its own host. */
export function openPageCsp({ device_url, brand }: Pick<OpenPage, 'device_url' | 'brand'>): string {
  return device_url === '' ? POLICY(brand) : TELLING_POLICY(brand);
}

export function renderOpenPage(page: OpenPage): string {
  const attempt =
    page.attempt_url === '' || page.store_url === ''
      ? ''
      : ` data-attempt="${escapeHtml(page.attempt_url)}" data-store="${escapeHtml(page.store_url)}"`;
  const { heading, main } = openPageMain(page);
  return renderPage({
    brand: page.brand,
    language: page.language,
    title: heading,
    head: '<meta name="robots" content="noindex">\n',
    bodyAttributes: `${deviceAttribute(page)}${attempt}`,
    main,
    script: page.device_url === '' ? SCRIPT : TELLING_SCRIPT,
  });
}

export function deviceAttribute({ device_url }: OpenPage): string {
  return device_url === '' ? '' : ` data-device="${escapeHtml(device_url)}"`;
}

/** Returns the heading and the content of the page, as HTML. */
export function openPageMain(page: OpenPage): { readonly heading: string; readonly main: string } {
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
  return {
    heading,
    main: `${mark(brand)}<h1>${heading}</h1>\n<p>${escapeHtml(text)}</p>${hint}\n<div class="actions">\n${actions.join('\n')}\n</div>${brand.support_url === '' ? '' : owner(brand, language)}`,
  };
}

interface Action {
  readonly href: string;
  readonly label: string;
  /** Further attributes. */
  readonly more: string;
}

/** Returns the parts of a link as HTML; null if there is nowhere to go. */
function action(url: string, label: string, more = ''): Action | null {
  return url === '' ? null : { href: escapeHtml(url), label: escapeHtml(label), more };
}
