import type { ClientBase } from 'pg';
import { TEMPLATE_RECORD_COLUMNS, type TemplateRow } from '../../shared/feed/codec.js';

const SELECT_TEMPLATES = `SELECT ${TEMPLATE_RECORD_COLUMNS}
  FROM url_templates JOIN environments ON environments.id = url_templates.environment_id
  WHERE url_templates.status <> 'archived'`;

/** The templates of these ids that are not archived, in no order. To the engine an archived one is gone. */
export async function readTemplatesById(client: ClientBase, ids: readonly string[]): Promise<readonly TemplateRow[]> {
  const { rows } = await client.query<TemplateRow>({
    name: 'read_templates_by_id',
    text: `${SELECT_TEMPLATES} AND url_templates.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every template that is not archived, for a cursor, in the order of the store's keys. */
export const SCAN_TEMPLATES = `${SELECT_TEMPLATES} ORDER BY environments.number, url_templates.id`;
