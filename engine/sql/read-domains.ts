import type { ClientBase } from 'pg';
import { DOMAIN_RECORD_COLUMNS, type DomainRow } from '../../shared/feed/domain-row.js';

const SELECT_DOMAINS = `SELECT ${DOMAIN_RECORD_COLUMNS}
  FROM domains JOIN environments ON environments.id = domains.environment_id
  WHERE domains.status = 'verified'`;

/** The verified domains of these ids, in no order. To the engine every other one is gone. */
export async function readDomainsById(client: ClientBase, ids: readonly string[]): Promise<readonly DomainRow[]> {
  const { rows } = await client.query<DomainRow>({
    name: 'read_domains_by_id',
    text: `${SELECT_DOMAINS} AND domains.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every verified domain, for a cursor, in the order of the store's keys. */
export const SCAN_DOMAINS = `${SELECT_DOMAINS} ORDER BY environments.number, domains.id`;
