import type { QrStyle } from '../../shared/contract/schemas/link-qr.js';
import type { Queryable } from '../db/database.js';

/** The style of QR codes for links that are shown on the host; null if its domain does not set one. */
export async function findQrStyle(database: Queryable, environmentId: string, hostname: string): Promise<QrStyle | null> {
  const { rows } = await database.query<{ qr_style: QrStyle | null }>({
    name: 'find_qr_style',
    text: 'SELECT qr_style FROM domains WHERE environment_id = $1 AND hostname = $2',
    values: [environmentId, hostname],
  });
  return rows[0]?.qr_style ?? null;
}
