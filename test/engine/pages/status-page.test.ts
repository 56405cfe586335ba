import t from 'tap';
import { brandOf, NOBODY } from '../../../engine/pages/brand.js';
import { STATUS_LINES, type StatusPage, statusPage } from '../../../engine/pages/status-page.js';
import { LANGUAGE_TAGS, LANGUAGES } from '../../../engine/pages/texts/language.js';
import { STATUS_PAGE_NAMES } from '../../../engine/pages/texts/page-texts.js';
import { TEXTS } from '../../../engine/pages/texts/texts.js';

const textOf = ({ body }: StatusPage) => Buffer.from(body).toString();

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

t.test('in every language a page names the project, escaped, contains no script, and is small', async (t) => {
  const brand = brandOf('<Shop> $& {project} Größe');
  for (const language of LANGUAGES)
    for (const name of STATUS_PAGE_NAMES) {
      const page = statusPage(name, language, brand);
      const where = `${language} ${name}`;
      const html = textOf(page);
      t.same([page.status, page.language], [STATUS_LINES[name], language], where);
      t.match(html, `<html lang="${LANGUAGE_TAGS[language]}">`, where);
      t.match(html, `<title>${TEXTS[language].status[name].title} · &#60;Shop&#62; $&#38; {project} Größe</title>`, where);
      t.match(html, '<p class="owner">&#60;Shop&#62; $&#38; {project} Größe</p>', where);
      t.notMatch(html.replaceAll('\n', ''), /<script|<Shop>|\p{Cc}/u, where);
      t.ok(page.body.byteLength < 4096, `${where} is small`);
    }
  t.match(textOf(statusPage('no_destination', 'en', brandOf('Shop'))), 'leads into the Shop app');
});

t.test('pages of an unknown host show no name', async (t) => {
  const html = textOf(statusPage('not_found', 'en', NOBODY));
  t.match(html, '<title>Link not found</title>');
  t.notMatch(html, 'class="owner"');
});
