import type { ListedLink } from '../../../../shared/contract/schemas/link-list.js';
import { type Message, text, textOf } from '../../language/text.js';
import { useCardRows } from '../../parts/phone-width.js';
import type { Order } from './list-state.js';
import type { Selection } from './selection.js';

export interface NamedColumn {
  readonly name: string;
  readonly label: Message;
  /** The two orders that a click on the heading switches between, starting with the first. */
  readonly orders?: readonly [Order, Order];
}

const NAME_ORDERS = ['name', 'name_desc'] as const;

interface TableHeadProps {
  readonly columns: readonly NamedColumn[];
  readonly links: readonly ListedLink[];
  /** Null if the links of the list cannot be chosen. */
  readonly selection: Selection | null;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

/** The names of the columns. Where rows are cards, only screen readers come upon them, and nothing in them can be used. */
export function TableHead({ columns, links, selection, order, onOrder }: TableHeadProps) {
  const isShown = !useCardRows();
  const allChosen = selection?.links.length === links.length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection === null || !isShown ? (
          <td />
        ) : (
          <th scope="col">
            <input
              type="checkbox"
              aria-label={text('Choose all that are shown')}
              checked={allChosen}
              onChange={() => selection.choose(allChosen ? [] : links)}
            />
          </th>
        )}
        <Heading label={text('Link')} orders={isShown ? NAME_ORDERS : undefined} order={order} onOrder={onOrder} />
        {columns.map(({ name, label, orders }) => (
          <Heading key={name} label={textOf(label)} orders={isShown ? orders : undefined} order={order} onOrder={onOrder} />
        ))}
      </tr>
    </thead>
  );
}

const DESCENDING: readonly Order[] = ['newest', 'name_desc', 'clicks'];

interface HeadingProps {
  readonly label: string;
  readonly orders: readonly [Order, Order] | undefined;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Heading({ label, orders, order, onOrder }: HeadingProps) {
  if (orders === undefined) return <th scope="col">{label}</th>;
  const [first, second] = orders;
  const sorted = DESCENDING.includes(order) ? 'descending' : 'ascending';
  const isSorted = order === first || order === second;
  return (
    <th scope="col" aria-sort={isSorted ? sorted : 'none'}>
      <button type="button" className="sort-button" onClick={() => onOrder(order === first ? second : first)}>
        {label}
        <span aria-hidden="true">{isSorted ? (sorted === 'ascending' ? '↑' : '↓') : ''}</span>
      </button>
    </th>
  );
}
