import { escapeHtml } from '../../shared/base/escape-html.js';
import { PASSWORD_CHARACTERS_MAX } from '../../shared/base/limits.js';
import { type Brand, mark, owner } from './brand.js';
import { pagePolicy, renderPage } from './html.js';
import { OPEN_PAGE_SCRIPTS } from './open-page.js';
import { PASSWORD_SCHEME } from './password-scheme.js';
import { TABLET_PAGE_SCRIPT } from './tablet-page.js';
import type { Language } from './texts/language.js';
import { PROJECT } from './texts/page-texts.js';
import { TEXTS } from './texts/texts.js';

/** `asked`: no password was sent. */
export type PasswordPageState = 'asked' | 'wrong' | 'throttled';

/**
 * Sends the password in a header, so that it is in no URL and the method stays GET. The answer is either where to go, or another
 * page, which replaces this one as a whole. A parsed script does not run, so the script of the page is inserted again. If the page
 * asks for the password again, this script still serves it, because the document and its listener stay. If there is no answer, the
 * page says so, and what had the focus has it again, which a disabled button loses.
 */
const SCRIPT = `{let o=document,enter=async e=>{e.preventDefault();
let f=e.target.elements,b=String.fromCharCode(...new TextEncoder().encode(f.password.value)),a=o.activeElement,u=o.getElementById('unsent');
f.submit.disabled=u.hidden=true;
try{let r=await fetch(location.href,{headers:{Authorization:'${PASSWORD_SCHEME} '+btoa(b)},cache:'no-store'}),t=await r.text();
if(r.headers.get('Content-Type')=='application/json')return location.replace(JSON.parse(t).location);
let p=new DOMParser().parseFromString(t,'text/html');
o.documentElement.replaceWith(p.documentElement);
let again=o.querySelector('[autofocus]');
if(again)again.focus();else for(let s of o.querySelectorAll('script')){let n=o.createElement('script');n.text=s.text;s.replaceWith(n)}}catch{f.submit.disabled=u.hidden=false;a.focus()}};
o.addEventListener('submit',enter)}`;

/** A field counts the units of UTF-16, of which a character has up to two. */
const UNITS_MAX = 2 * PASSWORD_CHARACTERS_MAX;

const FORM_STYLE = `:root{--error:#b3261e}
@media(prefers-color-scheme:dark){:root{--error:#ffb4ab}}
button{padding:.8125rem 1.25rem;border:1px solid transparent;border-radius:.875rem;font:inherit;font-weight:600;cursor:pointer}
button:disabled{opacity:.6}
label{display:grid;gap:.375rem;text-align:start;font-size:.9375rem;font-weight:500}
input{width:100%;padding:.75rem 1rem;border:1px solid var(--soft);border-radius:.875rem;background:var(--page);color:var(--text);font:inherit}
.error{margin-top:1rem;color:var(--error);font-weight:500}
button:focus-visible,input:focus-visible{outline:3px solid var(--accent);outline-offset:3px}`;

/** A page that replaces this one keeps its policy, so the policy allows the script of every such page. */
export const passwordPagePolicy = pagePolicy({
  scripts: [SCRIPT, ...OPEN_PAGE_SCRIPTS, TABLET_PAGE_SCRIPT],
  connects: true,
  style: FORM_STYLE,
});

export function renderPasswordPage(state: PasswordPageState, language: Language, brand: Brand): string {
  const texts = TEXTS[language].password;
  const title = escapeHtml(texts.title);
  const error = state === 'asked' ? '' : `\n<p class="error" id="error" role="alert">${escapeHtml(texts[state])}</p>`;
  const wrong = state === 'asked' ? '' : ' aria-invalid="true" aria-describedby="error"';
  const label = escapeHtml(texts.label);
  return renderPage({
    brand,
    language,
    title: brand.name === '' ? title : `${title} · ${brand.name}`,
    head: `<meta name="robots" content="noindex">\n<style>${FORM_STYLE}</style>\n`,
    bodyAttributes: '',
    main: `${mark(brand)}<h1>${title}</h1>
<p>${escapeHtml(texts.text).replaceAll(PROJECT, () => brand.name)}</p>${error}
<form class="actions">
<input name="username" autocomplete="username" hidden>
<label>${label}<input name="password" type="password" autocomplete="current-password" required autofocus maxlength="${UNITS_MAX}"${wrong}></label>
<button class="main" name="submit">${escapeHtml(texts.button)}</button>
<p class="error" id="unsent" role="alert" hidden>${escapeHtml(texts.unsent)}</p>
</form>${owner(brand, language)}`,
    script: SCRIPT,
  });
}
