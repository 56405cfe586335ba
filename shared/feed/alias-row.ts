import type { AliasRecord } from '../records/records.js';

/** What an alias's record is built from, as `ALIAS_RECORD_COLUMNS` selects it. */
export interface AliasRow {
  readonly id: string;
  readonly environment_number: number;
  readonly address: string;
  readonly link_path: string;
}

/** SQL for host and path as the store knows them, over `link_aliases` under the alias. */
export function aliasAddress(alias: string): string {
  return `(${alias}.host || '/' || ${alias}.normal_path)`;
}

/** Select list over `link_aliases JOIN links JOIN environments` that gives `AliasRow`s. */
export const ALIAS_RECORD_COLUMNS = `link_aliases.id, environments.number AS environment_number, ${aliasAddress('link_aliases')} AS address,
  links.path AS link_path`;

export function aliasRecordFromRow({ id, link_path }: AliasRow): AliasRecord {
  return { id, link_path };
}
