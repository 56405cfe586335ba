import { LINK_SORTS, LISTED_STATUSES, type LinkListQuery, type LinkSort } from '../../shared/contract/schemas/link-list.js';
import type { Caller } from '../http/authenticate.js';
import type { ListName } from '../http/cursor.js';
import type { UncheckedCall } from '../http/operation.js';

const ORDERS = ['asc', 'desc'] as const;
type Order = (typeof ORDERS)[number];

export function defaultOrder(sort: LinkSort): Order {
  return sort === 'name' ? 'asc' : 'desc';
}

interface LinkList {
  readonly sort: LinkSort;
  readonly order: Order;
  /** Whether it is the list of deleted links. */
  readonly deleted: boolean;
}

function nameOf({ environment }: Caller, { sort, order, deleted }: LinkList): ListName {
  const list = `listLinks/${environment.id}`;
  // This list had its name before the others were told apart, and keeps it, so that its cursors outlast an upgrade.
  if (sort === 'created_at' && order === 'desc' && !deleted) return list;
  return `${list}/${deleted ? 'deleted/' : ''}${sort}/${order}`;
}

/** The list of links that the query is about. A cursor marks a place in one order of it. Filters leave that order as it is. */
export function listName(caller: Caller, { sort = 'created_at', order = defaultOrder(sort), status }: LinkListQuery): ListName {
  return nameOf(caller, { sort, order, deleted: status === 'deleted' });
}

/** The lists that an unchecked query may be about: several if a wrong parameter leaves it open. */
export function listNames({ caller, query }: Pick<UncheckedCall, 'caller' | 'query'>): readonly ListName[] {
  const { sort = 'created_at', order, status } = query;
  const known = LINK_SORTS.filter((name) => name === sort);
  return (known.length > 0 ? known : LINK_SORTS).flatMap((name) => {
    const given = ORDERS.filter((each) => each === (order ?? defaultOrder(name)));
    const orders = given.length > 0 ? given : ORDERS;
    return orders.flatMap((each) =>
      (isStatus(status) ? [status === 'deleted'] : [true, false]).map((deleted) => nameOf(caller, { sort: name, order: each, deleted })),
    );
  });
}

function isStatus(value: unknown): boolean {
  return value === undefined || LISTED_STATUSES.some((name) => name === value);
}
