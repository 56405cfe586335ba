import t from 'tap';
import { brandOf, NOBODY, sha256Source } from '../../../engine/pages/brand.js';
import { type OpenPage, renderOpenPage } from '../../../engine/pages/open-page.js';
import { passwordPagePolicy, renderPasswordPage } from '../../../engine/pages/password-page.js';
import { renderTabletPage } from '../../../engine/pages/tablet-page.js';
import { LANGUAGES } from '../../../engine/pages/texts/language.js';
import { TEXTS } from '../../../engine/pages/texts/texts.js';
import { PASSWORD_CHARACTERS_MAX } from '../../../shared/base/limits.js';

t.test('the page asks for the password, and says why it asks again', async (t) => {
  for (const language of LANGUAGES) {
    const { password } = TEXTS[language];
    t.notMatch(renderPasswordPage('asked', language, NOBODY), /role="alert">|aria-invalid/);
    t.match(
      renderPasswordPage('wrong', language, NOBODY),
      /<input [^>]*type="password"[^>]* aria-invalid="true" aria-describedby="error">/,
    );
    t.ok(renderPasswordPage('wrong', language, NOBODY).includes(password.wrong.replaceAll("'", '&#39;')), language);
    t.ok(renderPasswordPage('throttled', language, NOBODY).includes(password.throttled), language);
    t.ok(renderPasswordPage('asked', language, NOBODY).includes(` hidden>${password.unsent.replaceAll("'", '&#39;')}</p>`), language);
  }
});

t.test('the field takes the longest password, whatever its characters are', async (t) => {
  const [, units] = /maxlength="(\d+)"/.exec(renderPasswordPage('asked', LANGUAGES[0], NOBODY)) ?? [];
  t.equal(Number(units), '🔑'.repeat(PASSWORD_CHARACTERS_MAX).length);
});

t.test('the name of the project is shown as text, and the policy allows the script of the page', async (t) => {
  const page = renderPasswordPage('asked', LANGUAGES[0], brandOf('<b>"Shop'));
  t.notMatch(page, /<b>/);
  t.equal(page.match(/<script/g)?.length, 1);
  t.match(passwordPagePolicy(NOBODY), /default-src 'none'; .*script-src (?:'sha256-[^']+' ?){4}; connect-src 'self'; .*form-action 'none'/);
  t.ok(passwordPagePolicy(NOBODY).includes(sha256Source(scriptOf(page))));
});

t.test('the policy allows the script of every page that may replace the page', async (t) => {
  const nowhere = { open_url: '', store_url: '', web_url: '', copied_url: '', attempt_url: '', in_app: false };
  const page: OpenPage = { ...nowhere, brand: NOBODY, language: LANGUAGES[0], device_url: '' };
  const telling = { ...page, device_url: '/.well-known/click-device' };
  const pages = [renderOpenPage(page), renderOpenPage(telling), renderTabletPage(telling)];
  t.equal(new Set(pages.map(scriptOf)).size, pages.length);
  for (const html of pages) t.ok(passwordPagePolicy(NOBODY).includes(sha256Source(scriptOf(html))));
});

const scriptOf = (html: string) => /<script>(.*)<\/script>/s.exec(html)?.[1] ?? '';
