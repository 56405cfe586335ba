import t from 'tap';
import { EXPORT_COLUMNS, type ExportedClick, headOf, lineOf } from '../../../control-plane/clicks/exported-click.js';
import { idToUuid, newId } from '../../../shared/base/ids.js';
import fc from '../../support/properties.js';

const link = newId('link');
const click = newId('click');
const row: ExportedClick = {
  id: idToUuid('click', click) as string,
  occurred_at: new Date('2026-11-20T09:30:00.123Z'),
  kind: 'link',
  subject_id: idToUuid('link', link) as string,
  resource_type_id: null,
  resource_type: null,
  item_id: null,
  host: 'go.example.com',
  path: 'sale',
  platform: 'ios',
  os_version: '17.5',
  in_app_browser: null,
  os: 'iOS',
  browser: 'Safari',
  browser_version: '17',
  bot: false,
  bot_reason: null,
  country: 'DE',
  region: 'DE-BE',
  city: 'Berlin',
  source: null,
  referrer_host: 't.co',
  campaign: null,
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  params: null,
  params_dropped: false,
  destination: 'https://example.com/?a=1,2',
  user_agent: 'Mozilla/5.0 (iPhone; "quoted")',
  address_hash: Buffer.from('00ff00ff00ff00ff', 'hex'),
  visitor_hash: '-1',
};

t.test('a click is one line in each format', async (t) => {
  t.equal(
    lineOf(row, 'csv'),
    `${click},2026-11-20T09:30:00.123Z,link,${link},,,,go.example.com,sale,ios,17.5,,iOS,Safari,17,false,,DE,DE-BE,Berlin,link,t.co,,,,,,,,false,"https://example.com/?a=1,2","Mozilla/5.0 (iPhone; ""quoted"")",00ff00ff00ff00ff,ffffffffffffffff\r\n`,
  );
  t.match(JSON.parse(lineOf(row, 'ndjson')), {
    id: click,
    link,
    url_template: null,
    bot: false,
    item_id: null,
    visitor_hash: 'ffffffffffffffff',
  });
  t.equal(lineOf(row, 'ndjson').match(/\n/g)?.length, 1);
  const template = newId('urlTemplate');
  t.match(JSON.parse(lineOf({ ...row, kind: 'template', subject_id: idToUuid('urlTemplate', template) as string }, 'ndjson')), {
    link: null,
    url_template: template,
  });
  t.equal(headOf('ndjson'), '');
  t.same(headOf('csv').trimEnd().split(','), Object.keys(EXPORT_COLUMNS));
});

t.test('text in CSV that looks like a formula gets an apostrophe before it', async (t) => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '=HYPERLINK("https://evil.example","a")']) {
    const cell = parseCsv(lineOf({ ...row, item_id: text }, 'csv'))[0]?.[6];
    t.equal(cell, `'${text}`);
    t.equal(JSON.parse(lineOf({ ...row, item_id: text }, 'ndjson')).item_id, text, 'NDJSON has the text unchanged');
  }
});

t.test('any text can be read back from CSV, except for the apostrophe before formulas', async (t) => {
  const anyText = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '=', "'", 'ü', '😀', ' '), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(anyText, anyText, (item_id, params) => {
      const [cells, ...more] = parseCsv(lineOf({ ...row, item_id, params }, 'csv'));
      const asText = (text: string) => (/^'*[=\r\n]/.test(text) ? `'${text}` : text);
      t.same([cells?.length, cells?.[6], cells?.[28], more.length], [34, asText(item_id), asText(params), 0]);
    }),
    { numRuns: 300 },
  );
});

/** Parses CSV (RFC 4180), character by character. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quoted && character === '"' && text[at + 1] === '"') cell += text[++at];
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === ',' || (character === '\r' && text[at + 1] === '\n'))) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (character === '\r') {
        rows.push([]);
        at++;
      }
    } else cell += character;
  }
  return rows.slice(0, -1);
}
