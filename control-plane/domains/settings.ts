import { isObject } from '../../shared/base/issue.js';
import type { DomainPatch } from '../../shared/contract/schemas/domain.js';
import type { QrStyle } from '../../shared/contract/schemas/link-qr.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { storedDestination } from '../../shared/resolve/stored-destination.js';
import { findBlockedErrors, type PlacedDestination } from '../blocklist/check.js';
import type { Queryable } from '../db/database.js';
import { isSameJson } from '../http/canonical-json.js';
import { fieldError } from '../http/problems.js';
import { drawingErrors } from '../qr/drawing-errors.js';
import type { QrThread } from '../qr/qr-thread.js';
import { styleErrors } from '../qr/style.js';
import { DOMAIN_REDIRECTS, type DomainRow } from './domain-row.js';

/** What is wrong with the URLs of an unchecked body. Asks the block list about those that are well-formed. */
export async function redirectErrors(redirects: unknown, database: Queryable): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  const urls: PlacedDestination[] = [];
  for (const name of DOMAIN_REDIRECTS) {
    const given = typeof redirects === 'object' && redirects !== null ? (redirects as Readonly<Record<string, unknown>>)[name] : undefined;
    if (typeof given !== 'string') continue;
    const pointer = `/redirects/${name}`;
    const outcome = storedDestination(given, 'web', null);
    if (outcome.kind === 'refused') errors.push(fieldError('body', pointer, outcome.code, outcome.detail));
    else urls.push({ pointer, url: outcome.url });
  }
  return [...errors, ...(await findBlockedErrors(database, urls))];
}

const QR_STYLE_PLACE = { in: 'body', parent: '/qr_style' } as const;

/** What is wrong with a style of an unchecked body. No later call draws it with the rest of a request, so its letters are tried here. */
export async function qrStyleErrors(style: unknown, keyId: string, images: Pick<QrThread, 'image'>): Promise<readonly FieldError[]> {
  if (!isObject(style)) return [];
  const drawn = await drawingErrors({ frame_text: style.frame_text }, { place: QR_STYLE_PLACE, keyId, images });
  return [...styleErrors(style, QR_STYLE_PLACE), ...drawn];
}

/** The row after a change that was checked; the same row if it changes nothing. The caller sets `updated_at`. */
export function patchedDomain<Row extends DomainRow>(row: Row, { case_insensitive, redirects, qr_style }: DomainPatch): Row {
  const { case_insensitive: cased, redirects: led, qr_style: drawn } = row;
  const after = {
    case_insensitive: case_insensitive ?? cased,
    redirects: patchedRedirects(row, redirects),
    qr_style: qr_style === undefined ? drawn : storedStyle(qr_style),
  };
  const before = { case_insensitive: cased, redirects: led, qr_style: drawn };
  return isSameJson(after, before) ? row : { ...row, ...after };
}

/** Writes colours in one form. Null if the style sets nothing. */
function storedStyle(style: QrStyle | null): QrStyle | null {
  if (style === null || Object.keys(style).length === 0) return null;
  const { foreground, background, ...others } = style;
  const written = (color: string) => `#${color.replace('#', '').toLowerCase()}`;
  return {
    ...(foreground === undefined ? {} : { foreground: written(foreground) }),
    ...(background === undefined ? {} : { background: written(background) }),
    ...others,
  };
}

function patchedRedirects(row: DomainRow, given: DomainPatch['redirects']): DomainRow['redirects'] {
  if (given === undefined) return row.redirects;
  const members = DOMAIN_REDIRECTS.flatMap((name) => {
    const url = given === null || given[name] === null ? undefined : (storedUrl(given[name]) ?? row.redirects[name]);
    return url === undefined ? [] : [[name, url] as const];
  });
  return Object.fromEntries(members);
}

function storedUrl(text: string | undefined): string | undefined {
  const outcome = text === undefined ? null : storedDestination(text, 'web', null);
  return outcome?.kind === 'ok' ? outcome.url : undefined;
}
