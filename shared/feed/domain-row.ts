import type { DomainRecord } from '../records/records.js';

/** What a domain's record is built from, as `DOMAIN_RECORD_COLUMNS` selects it. */
export interface DomainRow {
  readonly id: string;
  readonly environment_number: number;
  readonly hostname: string;
}

/** Select list over `domains JOIN environments` that gives `DomainRow`s. */
export const DOMAIN_RECORD_COLUMNS = 'domains.id, environments.number AS environment_number, domains.hostname';

export function domainRecordFromRow(row: DomainRow): DomainRecord {
  return { id: row.id, environment_number: row.environment_number, hostname: row.hostname };
}
