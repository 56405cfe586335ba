import t from 'tap';
import { brandOf, NOBODY } from '../../../engine/pages/brand.js';
import { passwordPagePolicy, renderPasswordPage } from '../../../engine/pages/password-page.js';
import { LANGUAGES } from '../../../engine/pages/texts/language.js';
import { TEXTS } from '../../../engine/pages/texts/texts.js';

t.test('the page asks for the password, and says why it asks again', async (t) => {
  for (const language of LANGUAGES) {
    const { password } = TEXTS[language];
    t.notMatch(renderPasswordPage('asked', language, NOBODY), /role="alert"/);
    t.ok(renderPasswordPage('wrong', language, NOBODY).includes(password.wrong.replaceAll("'", '&#39;')), language);
    t.ok(renderPasswordPage('throttled', language, NOBODY).includes(password.throttled), language);
  }
});

t.test('the name of the project is shown as text, and the only script is the one that the policy names', async (t) => {
  const page = renderPasswordPage('asked', LANGUAGES[0], brandOf('<b>"Shop'));
  t.notMatch(page, /<b>/);
  t.equal(page.match(/<script/g)?.length, 1);
  t.match(passwordPagePolicy(NOBODY), /default-src 'none'; .*script-src 'sha256-[^']+'; connect-src 'self'; .*form-action 'none'/);
});
