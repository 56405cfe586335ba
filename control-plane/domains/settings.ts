import type { DomainPatch } from '../../shared/contract/schemas/domain.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { storedDestination } from '../../shared/resolve/stored-destination.js';
import { blockedDestinations, blockedErrors, type PlacedDestination } from '../blocklist/check.js';
import type { Queryable } from '../db/database.js';
import { fieldError } from '../http/problems.js';
import { DOMAIN_REDIRECTS, type DomainRow } from './domain-row.js';

/** What is wrong with the URLs of an unchecked body. Looks only at text. */
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
  return [...errors, ...blockedErrors(urls, await blockedDestinations(database, urls))];
}

/** The row after a change that was checked; the same row if it changes nothing. `updated_at` is left to the caller. */
export function patchedDomain<Row extends DomainRow>(row: Row, { case_insensitive, redirects }: DomainPatch): Row {
  const after = { case_insensitive: case_insensitive ?? row.case_insensitive, redirects: patchedRedirects(row, redirects) };
  const same = after.case_insensitive === row.case_insensitive && JSON.stringify(after.redirects) === JSON.stringify(row.redirects);
  return same ? row : { ...row, ...after };
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
