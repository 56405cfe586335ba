import { appStorePage, playStorePage, routeOfDeepLink } from '../../../shared/resolve/long-link.js';
import { csvRows, firstOf, unreadMembers } from './csv-rows.js';
import { Reading } from './reading.js';
import { addressOf, type CsvRow, type ImportSource, type SourceLink, said, withoutAddress } from './source-link.js';

/** Columns of the export of Firebase Dynamic Links, named as the parameters of its long links. */
const READ = new Set([
  ...['short link', 'link', 'apn', 'afl', 'ibi', 'ifl', 'isi', 'ofl', 'efr', 'st', 'sd', 'si', 'archived', 'name', 'created', 'clicks'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  // None of these says where, when or whom the link leads.
  ...['link type', 'domain', 'domain uri prefix', 'creation type'],
]);
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

export const FIREBASE: ImportSource = {
  title: 'Firebase Dynamic Links: a CSV of its export',
  reads: 'file',
  ofRow: linkOf,
  async *read({ file, onRead }) {
    for await (const row of csvRows(file as string, READ, onRead)) yield linkOf(row);
  },
};

function linkOf(row: CsvRow): SourceLink {
  const short = firstOf(row, 'short link');
  if (short === '') return withoutAddress('it has no "Short Link"; is the file an export of Firebase Dynamic Links?');
  const reading = new Reading();
  reading.lose(...unreadMembers(row, READ));
  const link = firstOf(row, 'link');
  if (link === '') reading.lose('link');
  const isi = firstOf(row, 'isi').replace(/^id/i, '');
  if (isi !== '' && !/^\d+$/.test(isi)) reading.lose('isi');
  const apple = /^\d+$/.test(isi) ? appStorePage(isi) : '';
  const ios = firstOf(row, 'ifl') || apple;
  // The app itself is the environment's. Without its number there is no page of it in the store.
  if (ios === '' && firstOf(row, 'ibi') !== '') reading.lose('ibi');
  const play = firstOf(row, 'apn') === '' ? '' : playStorePage(row.apn as string);
  const card = said({ title: firstOf(row, 'st'), description: firstOf(row, 'sd'), image_url: firstOf(row, 'si') });
  return {
    id: short.replace(/^https?:\/\//, ''),
    addresses: [addressOf(short)],
    fields: {
      destinations: said({
        web: link,
        ios,
        android: firstOf(row, 'afl') || play,
        desktop: firstOf(row, 'ofl'),
      }),
      ...said({
        deep_link_path: routeOfDeepLink(link),
        title: firstOf(row, 'name'),
        created_at: reading.instant('created_at', firstOf(row, 'created')),
      }),
      ...said(Object.fromEntries(UTM.map((name) => [name, firstOf(row, name)]))),
      ...(Object.keys(card).length === 0 ? {} : { card }),
      ...(reading.flag('archived', firstOf(row, 'archived')) === true ? { archived: true } : {}),
      // "Skip the app preview page".
      ...(reading.flag('efr', firstOf(row, 'efr')) === true ? { interstitial: false } : {}),
    },
    ...reading.clicks(row.clicks),
    ...reading.result(),
  };
}
