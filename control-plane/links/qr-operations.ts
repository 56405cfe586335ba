import { isId } from '../../shared/base/ids.js';
import type { QrRequest, QrStyle } from '../../shared/contract/schemas/link-qr.js';
import type { FieldError, FieldPlace } from '../../shared/contract/schemas/problem-codes.js';
import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { withQrMark } from '../../shared/resolve/qr-mark.js';
import type { Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { refuseFields } from '../http/problems.js';
import { drawingErrors } from '../qr/drawing-errors.js';
import type { QrThread } from '../qr/qr-thread.js';
import { type Fields, type QrTask, requestErrors, styleErrors, taskOf } from '../qr/style.js';
import { findQrStyle } from '../qr/style-of-domain.js';
import { type LinkRow, linkOfRow, shownHost } from './link-row.js';
import { requireLink } from './require-link.js';
import * as sql from './sql.js';
import { viewOf } from './view.js';

export interface QrDependencies {
  readonly form: LinkUrlForm;
  readonly qrImages: Pick<QrThread, 'image'>;
}

interface QrFields<Given> {
  readonly fields: Given;
  readonly in: FieldPlace;
}

export function qrOperations(dependencies: QrDependencies): Pick<Operations, 'getLinkQr' | 'drawLinkQr'> {
  const { qrImages } = dependencies;
  return {
    getLinkQr: {
      check: (call, database, refused) => qrErrors(call, database, { fields: call.query, in: 'query', refused, qrImages }),
      async handle(call, database) {
        const task = await qrTask(call, database, dependencies, { fields: call.query, in: 'query' });
        return { body: await qrImages.image(call.caller.keyId, task) };
      },
    },
    drawLinkQr: {
      check: (call, database, refused) => qrErrors(call, database, { fields: call.body, in: 'body', refused, qrImages }),
      async handle(call, database) {
        const task = await qrTask(call, database, dependencies, { fields: call.body, in: 'body' });
        return { body: await qrImages.image(call.caller.keyId, task) };
      },
    },
  };
}

interface QrRules extends QrFields<Fields>, Pick<QrDependencies, 'qrImages'> {
  /** Whether something else of the request is wrong already. */
  readonly refused: boolean;
}

/** A request with nothing else wrong is drawn anyway, which finds what `drawingErrors` finds. */
async function qrErrors(call: UncheckedCall, database: Queryable, { fields, in: given, refused, qrImages }: QrRules) {
  const place = { in: given, parent: '' };
  const errors = [...requestErrors(fields, given)];
  if (styleErrors(fields, place).length === 0) errors.push(...(await colorErrors(call, database, fields, given)));
  if (!refused && errors.length === 0) return errors;
  return [...errors, ...(await drawingErrors(fields, { place, keyId: call.caller.keyId, images: qrImages }))];
}

/** The colours of each style are readable together, but one colour of the request and one of the link's domain may not be. */
async function colorErrors(
  { caller, params }: UncheckedCall,
  database: Queryable,
  fields: Fields,
  given: FieldPlace,
): Promise<readonly FieldError[]> {
  if ((fields.foreground === undefined) === (fields.background === undefined)) return [];
  const id = params.link ?? '';
  const row = isId('link', id) ? await sql.findLink(database, caller.environment.id, id) : null;
  // The handler reports that there is none.
  if (row === null) return [];
  return styleErrors({ ...(await styleOfHost(database, caller, row)), ...fields }, { in: given, parent: '' }, fields);
}

/** The style of the domain that the link is shown on; null if there is none. */
async function styleOfHost(database: Queryable, { environment }: Caller, row: LinkRow): Promise<QrStyle | null> {
  const host = shownHost(row, environment.linkHost);
  return host === environment.linkHost ? null : findQrStyle(database, environment.id, host);
}

/** The QR code that the request asks for. What its fields leave out is taken from the style of the domain that the link is shown on. */
async function qrTask(
  call: Call<'getLinkQr'> | Call<'drawLinkQr'>,
  database: Queryable,
  { form }: QrDependencies,
  { fields, in: given }: QrFields<QrRequest>,
): Promise<QrTask> {
  const row = await requireLink(call, database);
  const place = { in: given, parent: '' };
  const request = { ...(await styleOfHost(database, call.caller, row)), ...fields };
  // Asked again, because the domain may have another style by now.
  const errors = styleErrors(request, place, { ...fields });
  if (errors.length > 0) throw refuseFields(errors);
  return taskOf(withQrMark(linkOfRow(row, viewOf(call, form)).url), request, place);
}
