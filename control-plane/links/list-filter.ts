import { idCeiling, idFloor } from '../../shared/base/ids.js';
import { parseInstant } from '../../shared/base/instant.js';
import type { LinkFilterQuery, LinkListQuery } from '../../shared/contract/schemas/link-list.js';
import type { FieldError } from '../../shared/contract/schemas/problem-codes.js';
import { fieldError } from '../http/problems.js';
import type { LinkFilter } from './list-sql.js';

/** What a query of links asks for, except for the archive. */
export function linkFilterOf(
  query: Omit<LinkFilterQuery, 'status'> & Pick<LinkListQuery, 'status'>,
  nowMs: number,
): Omit<LinkFilter, 'archived'> {
  const { search, tag, status, campaign, path, created_from, created_to } = query;
  return {
    nowMs,
    ...(search === undefined ? {} : { search }),
    ...(tag === undefined ? {} : { tag }),
    ...(status === undefined ? {} : { status }),
    ...(campaign === undefined ? {} : { campaign }),
    ...(path === undefined ? {} : { pathPrefix: path }),
    ...(created_from === undefined ? {} : { fromId: idFloor('link', parseInstant(created_from) as number) }),
    ...(created_to === undefined ? {} : { toId: idCeiling('link', parseInstant(created_to) as number) }),
  };
}

export function rangeErrors(query: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const from = typeof query.created_from === 'string' ? parseInstant(query.created_from) : null;
  const to = typeof query.created_to === 'string' ? parseInstant(query.created_to) : null;
  return from !== null && to !== null && from > to
    ? [fieldError('query', '/created_from', 'invalid_range', 'must not be later than created_to')]
    : [];
}

/** A list of deleted links includes archived ones, and no index has deleted links in the order of their clicks. */
export function deletedListErrors({ status, archived, sort }: Readonly<Record<string, unknown>>): readonly FieldError[] {
  if (status !== 'deleted') return [];
  return [
    ...(archived === undefined ? [] : [fieldError('query', '/archived', 'invalid_value', 'cannot be combined with status=deleted')]),
    ...(sort === 'clicks' ? [fieldError('query', '/sort', 'invalid_value', 'must not be clicks with status=deleted')] : []),
  ];
}
