import { isBlankRow } from '../../shared/base/csv-dialect.js';
import { PASSWORDS_OF_BULK_MAX } from '../../shared/base/limits.js';
import type { FileSource, ImportedLinks } from '../../shared/contract/schemas/link-import.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { asciiHostName } from '../../shared/net/host-name.js';
import type { Database, Queryable } from '../db/database.js';
import type { Call, Operations, UncheckedCall } from '../http/operation.js';
import { fieldError } from '../http/problems.js';
import { linkHosts } from '../links/alias-sql.js';
import type { BulkDependencies } from '../links/bulk-operation.js';
import { hasLosses, type ImportLine } from './attempt.js';
import { importBatch } from './import-batch.js';
import { hostKey } from './plan-link.js';
import { columnKeys, rowOfCells } from './sources/csv-rows.js';
import { ofLine, ofObject } from './sources/own.js';
import { caseKept, numbered, type SourceLink, withoutAddress } from './sources/source-link.js';
import { SOURCES } from './sources.js';

export function importOperations(dependencies: BulkDependencies): Pick<Operations, 'importLinks'> {
  return {
    importLinks: {
      check: async (call, database) => [...columnErrors(call), ...caseErrors(call), ...(await domainErrors(call, database))],
      async handle(call, database) {
        const { source, columns = [], rows, first_row = 1, case_sensitive = false } = call.body;
        const read = linksOf(source, columnKeys(columns), rows, first_row);
        const links = withFewPasswords(case_sensitive ? read.map(caseKept) : read);
        const body = answerOf(await importRows(links, call, database, dependencies), links, first_row);
        return call.body.dry_run === true ? { body } : { body, committed: { feed: 'followed' } };
      },
    },
  };
}

function columnErrors({ body: { source, columns } }: UncheckedCall): readonly FieldError[] {
  // A source that is missing or unknown may be one whose files have no header.
  if (columns !== undefined || source === 'ndjson' || SOURCES[String(source)]?.ofRow === undefined) return [];
  return [fieldError('body', '/columns', 'required', 'is required: the column names in the header of the file')];
}

function caseErrors({ body: { source, case_sensitive } }: UncheckedCall): readonly FieldError[] {
  if (case_sensitive !== true || SOURCES[String(source)]?.keysIgnoreCase) return [];
  return [
    fieldError(
      'body',
      '/case_sensitive',
      'invalid_value',
      'is only for the source dub: paths from all other sources are always case-sensitive',
    ),
  ];
}

/** Refuses hosts that do not lead here, because a link that moved to one would be lost. */
async function domainErrors({ body: { domains }, caller }: UncheckedCall, database: Queryable): Promise<readonly FieldError[]> {
  const names = (Array.isArray(domains) ? domains : []).map((pair: unknown) => (pair as { to?: unknown } | null)?.to);
  const hosts = names.flatMap((name) => (typeof name === 'string' && !name.includes('\0') ? [asciiHostName(name)] : []));
  const known = new Set(hosts.length === 0 ? [] : await linkHosts(database, caller.environment.id, hosts));
  return names.flatMap((name, index) =>
    typeof name !== 'string' || known.has(asciiHostName(name))
      ? []
      : [
          fieldError(
            'body',
            `/domains/${index}/to`,
            'unknown_domain',
            'is neither the link host nor a verified domain of this environment',
          ),
        ],
  );
}

function importRows(
  links: readonly SourceLink[],
  { body, caller, nowMs }: Call<'importLinks'>,
  database: Database,
  { form }: BulkDependencies,
): Promise<readonly ImportLine[]> {
  const { environment } = caller;
  const { source, domains = [] } = body;
  return importBatch(links, {
    database,
    environment,
    environmentId: environment.id,
    form,
    linkHost: environment.linkHost,
    hosts: new Map(domains.map(({ from, to }) => [hostKey(from), asciiHostName(to)])),
    sourceName: source === 'ndjson' ? 'csv' : source,
    collision: body.on_collision ?? 'fail',
    dryRun: body.dry_run === true,
    createdBy: caller.keyName,
    nowMs: () => nowMs,
  });
}

function linksOf(source: FileSource, columns: readonly string[], rows: readonly unknown[], firstRow: number): readonly SourceLink[] {
  if (source === 'ndjson')
    return rows.map((row, index) => (typeof row === 'string' ? ofLine(row, firstRow + index) : ofObject(row, firstRow + index)));
  const { ofRow } = SOURCES[source] as (typeof SOURCES)[string];
  return rows.map((cells, index) => {
    const number = firstRow + index;
    const row = rowOfCells(columns, cells);
    if (row === null || ofRow === undefined) return withoutAddress('is not a list of texts', `number ${number}`);
    if (isBlankRow(Object.values(row))) return withoutAddress('all cells of the row are empty', `number ${number}`);
    return numbered(ofRow(row, number), number);
  });
}

/** Each password takes a core for some tens of milliseconds, so a call may have no more of them than a bulk call. */
function withFewPasswords(links: readonly SourceLink[]): readonly SourceLink[] {
  let passwords = 0;
  return links.map((link) => {
    if (typeof link.fields.password !== 'string' || ++passwords <= PASSWORDS_OF_BULK_MAX) return link;
    return withoutAddress(`At most ${PASSWORDS_OF_BULK_MAX} rows of a call may have a password: send fewer rows per call.`, link.id);
  });
}

function answerOf(lines: readonly ImportLine[], links: readonly SourceLink[], firstRow: number): ImportedLinks {
  const counts = { created: 0, aliased: 0, exists: 0, skipped: 0, failed: 0, with_losses: 0 };
  for (const line of lines) {
    counts[line.outcome]++;
    if (hasLosses(line)) counts.with_losses++;
  }
  const results = lines.map((line, index) => ({
    ...{ ...line, row: firstRow + index, lost: [...line.lost] },
    hosts: namedHosts(links[index] as SourceLink),
  }));
  return { results, ...counts };
}

function namedHosts({ addresses }: SourceLink): string[] {
  return [...new Set(addresses.flatMap(({ host }) => (host === null || host === '' ? [] : hostKey(host))))];
}
