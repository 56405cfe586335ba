import { UTM_FIELDS } from '../../../shared/records/records.js';
import { appStorePage, playStorePage, routeOfDeepLink } from '../../../shared/resolve/long-link.js';
import { csvRows, firstOf, linksOfRows, unreadMembers } from './csv-rows.js';
import { addressOf, type CsvRow, type ImportSource, type SourceLink, said, withoutAddress } from './source-link.js';
import { SourceRow } from './source-row.js';

/**
 * The columns of the export of Firebase Dynamic Links. They are named here by the parameters of its long links, each with the label from
 * https://firebase.google.com/support/guides/export-dynamic-links. Files have the label, the label with the parameter in brackets, or the
 * parameter, and blanks or underscores between words.
 */
const LABELS = {
  'short link': 'Short link',
  link: 'Deep link',
  apn: 'Android package name',
  afl: 'Android fallback link',
  amv: 'Android minimum package version code',
  ibi: 'iOS bundle ID',
  ifl: 'iOS fallback link',
  ius: 'iOS custom scheme',
  ipfl: 'iOS iPad fallback link',
  ipbi: 'iOS iPad bundle ID',
  isi: 'iOS app store ID',
  imv: 'iOS minimum version',
  efr: 'Enable forced redirect?',
  ofl: 'Desktop fallback link',
  st: 'Social title',
  sd: 'Social description',
  si: 'Social image link',
  utm_source: 'UTM source',
  utm_medium: 'UTM medium',
  utm_campaign: 'UTM campaign',
  utm_term: 'UTM term',
  utm_content: 'UTM content',
  at: 'iTunes Connect at',
  ct: 'iTunes Connect ct',
  mt: 'iTunes Connect mt',
  pt: 'iTunes Connect pt',
  archived: 'Archived?',
  name: 'Link name',
  created: 'Creation timestamp',
} as const;

/** A name without the details that differ between files. */
const plainName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .replaceAll('?', '')
    .trim();

const PARAMETERS: ReadonlyMap<string, string> = new Map(
  Object.entries(LABELS).flatMap(([parameter, label]) =>
    [parameter, label, `${label} (${parameter})`].map((name) => [plainName(name), parameter] as const),
  ),
);

const READ: ReadonlySet<string> = new Set([
  ...['short link', 'link', 'apn', 'afl', 'ibi', 'ifl', 'isi', 'ofl', 'efr', 'st', 'sd', 'si', 'archived', 'name', 'created', 'clicks'],
  ...UTM_FIELDS,
  // None of these affects where, when or for whom the link redirects.
  ...['link type', 'domain', 'domain uri prefix', 'creation type'],
]);
/** 0 means any version of the app. */
const PLAIN_IF_FALSE: ReadonlySet<string> = new Set(['amv', 'imv']);
/** A file without one of these columns names no links. */
const SHORT_LINK: ReadonlySet<string> = new Set(['short link', 'short_link']);

export const FIREBASE: ImportSource = {
  title: 'Firebase Dynamic Links: its CSV export',
  reads: 'file',
  ofRow,
  read: ({ file, onRead }) => linksOfRows(csvRows(file as string, SHORT_LINK, onRead, 'column for the short link'), ofRow),
};

/** The row by parameters. If two columns mean the same parameter, the second one keeps its name, so that it is reported as lost. */
function byParameter(row: CsvRow): CsvRow {
  const named: Record<string, string> = {};
  for (const name of Object.keys(row)) {
    const parameter = parameterOf(name);
    named[parameter in named ? name : parameter] = row[name] as string;
  }
  return named;
}

function parameterOf(name: string): string {
  return PARAMETERS.get(name) ?? PARAMETERS.get(plainName(name)) ?? name;
}

function ofRow(cells: CsvRow): SourceLink {
  const row = byParameter(cells);
  const short = firstOf(row, 'short link');
  if (short === '') return withoutAddress('it has no "Short Link"; is the file an export of Firebase Dynamic Links?');
  const reading = new SourceRow();
  reading.lose(...unreadMembers(row, READ, PLAIN_IF_FALSE));
  const link = firstOf(row, 'link');
  if (link === '') reading.lose('link');
  const card = said({ title: firstOf(row, 'st'), description: firstOf(row, 'sd'), image_url: firstOf(row, 'si') });
  return {
    id: short.replace(/^https?:\/\//, ''),
    addresses: [addressOf(short)],
    fields: {
      destinations: said({ web: link, ...storesOf(row, reading), desktop: firstOf(row, 'ofl') }),
      ...said({
        deep_link_path: routeOfDeepLink(link),
        title: firstOf(row, 'name'),
        created_at: reading.instant('created_at', firstOf(row, 'created')),
      }),
      ...said(Object.fromEntries(UTM_FIELDS.map((name) => [name, firstOf(row, name)]))),
      ...(Object.keys(card).length === 0 ? {} : { card }),
      ...(reading.flag('archived', firstOf(row, 'archived')) === true ? { archived: true } : {}),
      // "Skip the app preview page".
      ...(reading.flag('efr', firstOf(row, 'efr')) === true ? { interstitial: false } : {}),
    },
    ...reading.clicks(row.clicks),
    ...reading.result(),
  };
}

/**
 * Where phones without the app are sent. The environment decides which app opens, so an app that no destination names is reported as lost:
 * the link may have belonged to another app.
 */
function storesOf(row: CsvRow, reading: SourceRow): { readonly ios: string; readonly android: string } {
  const isi = firstOf(row, 'isi').replace(/^id/i, '');
  const ifl = firstOf(row, 'ifl');
  const isNumber = /^\d+$/.test(isi);
  if (isi !== '' && (ifl !== '' || !isNumber)) reading.lose('isi');
  const ios = ifl !== '' ? ifl : isNumber ? appStorePage(isi) : '';
  if ((ifl !== '' || ios === '') && firstOf(row, 'ibi') !== '') reading.lose('ibi');
  const apn = firstOf(row, 'apn');
  const afl = firstOf(row, 'afl');
  if (afl !== '' && apn !== '') reading.lose('apn');
  return { ios, android: afl !== '' || apn === '' ? afl : playStorePage(apn) };
}
