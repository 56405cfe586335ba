import t from 'tap';
import { brandOf, NOBODY } from '../../../../engine/http/pages/html.js';
import { LANGUAGE_TAGS, LANGUAGES } from '../../../../engine/http/pages/language.js';
import { STATUS_LINES, statusPage } from '../../../../engine/http/pages/status-page.js';
import { STATUS_PAGE_NAMES, TEXTS } from '../../../../engine/http/pages/texts/texts.js';

t.test('every state has its status', async (t) => {
  t.same(Object.fromEntries(Object.entries(STATUS_LINES).map(([name, line]) => [name, Number.parseInt(line, 10)])), {
    not_found: 404,
    disabled: 404,
    expired: 410,
    deleted: 410,
    blocked: 403,
    method_not_allowed: 405,
    unavailable: 503,
    failed: 500,
    no_destination: 200,
  });
});

t.test('in every language a page names the project, escaped, holds no script, and is small', async (t) => {
  const brand = brandOf('<Shop> $& {project}');
  for (const language of LANGUAGES)
    for (const name of STATUS_PAGE_NAMES) {
      const page = statusPage(name, language, brand);
      const where = `${language} ${name}`;
      t.same([page.status, page.language], [STATUS_LINES[name], language], where);
      t.match(page.html, `<html lang="${LANGUAGE_TAGS[language]}">`, where);
      t.match(page.html, `<title>${TEXTS[language].status[name].title} · &#60;Shop&#62; $&#38; {project}</title>`, where);
      t.match(page.html, '<p class="owner">&#60;Shop&#62; $&#38; {project}</p>', where);
      t.notMatch(page.html.replaceAll('\n', ''), /<script|<Shop>|\p{Cc}/u, where);
      t.ok(Buffer.byteLength(page.html) < 4096, `${where} is small`);
    }
  t.match(statusPage('no_destination', 'en', brandOf('Shop')).html, 'leads into the Shop app');
});

t.test('a host of nobody has pages without a name', async (t) => {
  const { html } = statusPage('not_found', 'en', NOBODY);
  t.match(html, '<title>Link not found</title>');
  t.notMatch(html, 'class="owner"');
});
