import { counted, type Message, message, text, textOf } from '../../language/text.js';
import './link-table.css';
import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { ListedLink } from '../../../../shared/contract/schemas/link-list.js';
import { Sparkline } from '../../charts/sparkline.js';
import { count } from '../../format/numbers.js';
import { Time } from '../../format/time.js';
import { useLanguage } from '../../language/language.js';
import { StatusBadge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/copy.js';
import { inTurn, useDrawn } from '../../parts/in-turn.js';
import { leadsTo, withoutScheme } from './link-row.js';
import { isLive } from './link-states.js';
import type { Order } from './list-state.js';
import { RestoreButton } from './restore-button.js';
import type { Selection } from './selection.js';
import { Tags } from './tags.js';
import { Tile } from './tile.js';

interface Column {
  readonly name: string;
  readonly label: Message;
  readonly show: (link: ListedLink) => ReactNode;
  /** The orders that its heading changes between: the first one comes first. */
  readonly orders?: readonly [Order, Order];
}

/** What a row shows after its name. Another column is another line here, and a width in `--columns` of the style. */
const COLUMNS: readonly Column[] = [
  { name: 'destination', label: message('Destination'), show: (link) => withoutScheme(leadsTo(link)) },
  { name: 'tags', label: message('Tags'), show: ({ tags }) => <Tags names={tags} /> },
  { name: 'campaign', label: message('Campaign'), show: ({ campaign }) => campaign },
  {
    name: 'clicks',
    label: message('Clicks of people'),
    show: ({ clicks, daily_clicks }) => <Clicks clicks={clicks ?? 0} days={daily_clicks} />,
    orders: ['clicks', 'clicks_asc'],
  },
  {
    name: 'created',
    label: message('Created'),
    show: ({ created_at }) => <Time at={created_at} relative />,
    orders: ['newest', 'oldest'],
  },
  { name: 'maker', label: message('Made by'), show: ({ created_by }) => created_by },
  { name: 'state', label: message('State'), show: ({ status, archived }) => <StatusBadge status={archived ? 'archived' : status} /> },
];

/** What stands in the place of columns in the list of deleted links. */
const COLUMNS_OF_DELETED: Readonly<Record<string, Column>> = {
  clicks: {
    name: 'clicks',
    label: message('Clicks of people'),
    show: ({ clicks, daily_clicks }) => <Clicks clicks={clicks ?? 0} days={daily_clicks} />,
  },
  created: {
    name: 'created',
    label: message('Deleted'),
    show: ({ deleted_at }) => (deleted_at === undefined ? null : <Time at={deleted_at} relative />),
  },
  state: { name: 'state', label: message('Restore'), show: (link) => <RestoreButton link={link} /> },
};

function columnsOf(deleted: boolean): readonly Column[] {
  return deleted ? COLUMNS.map((column) => COLUMNS_OF_DELETED[column.name] ?? column) : COLUMNS;
}

function Clicks({ clicks, days = [] }: { readonly clicks: number; readonly days: readonly number[] | undefined }) {
  return (
    <>
      <span title={text('Clicks of people in the last 30 days')}>
        {count(clicks)} <span className="cell-unit">{counted(clicks, 'click', 'clicks')}</span>
      </span>
      <Sparkline values={days} />
    </>
  );
}

const NAME_ORDERS = ['name', 'name_desc'] as const;

interface LinkTableProps {
  readonly links: readonly ListedLink[];
  /** Whether it is the list of deleted links: they can be brought back, and nothing else. */
  readonly deleted: boolean;
  readonly selection: Selection;
  readonly order: Order;
  /** Id of a link that is drawn wherever it is. */
  readonly keep: string | null;
  readonly onOrder: (order: Order) => void;
  readonly onOpen: (link: string) => void;
}

/** The list that people work in. Rows far out of sight are not drawn, so that thousands of them scroll as a few do. */
export function LinkTable({ links, deleted, selection, order, keep, onOrder, onOpen }: LinkTableProps) {
  const latest = useRef({ selection, onOpen });
  latest.current = { selection, onOpen };
  const toggle = useCallback((link: ListedLink) => latest.current.selection.toggle(link), []);
  const open = useCallback((link: string) => latest.current.onOpen(link), []);
  const allChosen = selection.links.length === links.length;
  return (
    <table className={deleted ? 'link-table link-table-deleted' : 'link-table'} aria-label={text('Links')} aria-rowcount={links.length + 1}>
      <thead>
        <tr>
          {deleted ? (
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
          <Heading label={text('Link')} orders={NAME_ORDERS} order={order} onOrder={onOrder} />
          {columnsOf(deleted).map(({ name, label, orders }) => (
            <Heading key={name} label={textOf(label)} orders={orders} order={order} onOrder={onOrder} />
          ))}
        </tr>
      </thead>
      {blocksOf(links).map((block, index) => {
        const isKept = block.some(({ id }) => id === keep);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: by their first rows, all blocks would be made again as soon as a link comes in above them
          <Block key={index} count={block.length} kept={isKept || index === 0} atOnce={isKept ? block.length : ROWS_AT_ONCE}>
            {(drawn) =>
              block
                .slice(0, drawn)
                .map((link) => <Row key={link.id} link={link} chosen={selection.has(link)} onToggle={toggle} onOpen={open} />)
            }
          </Block>
        );
      })}
    </table>
  );
}

/** Rows that come and go together: about one window of them. */
const BLOCK_ROWS = 20;
/** Of the nearest rows that are drawn already: three windows of a large screen. */
const NEAR_PIXELS = 3000;
const ROW_PIXELS = 57;
/** What a processor a quarter as fast as usual draws well within 100 ms, together with the page around it. */
const ROWS_AT_ONCE = 5;

function blocksOf(links: readonly ListedLink[]): readonly (readonly ListedLink[])[] {
  return Array.from({ length: Math.ceil(links.length / BLOCK_ROWS) }, (_, index) =>
    links.slice(index * BLOCK_ROWS, (index + 1) * BLOCK_ROWS),
  );
}

interface BlockProps {
  readonly count: number;
  readonly kept: boolean;
  /** Rows that are drawn together; the others follow in turn. */
  readonly atOnce: number;
  /** So many of the rows, from the first on. */
  readonly children: (drawn: number) => ReactNode;
}

/** Holds the place of its rows while they are far away, by the height that they had, and until all of them are drawn. */
function Block({ count, kept, atOnce, children }: BlockProps) {
  const element = useRef<HTMLTableSectionElement>(null);
  const height = useRef(count * ROW_PIXELS);
  const [near, setNear] = useState(kept);
  useEffect(() => {
    const body = element.current as HTMLTableSectionElement;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        if (!entry.isIntersecting) height.current = Math.max(1, entry.boundingClientRect.height);
        inTurn(() => setNear(entry.isIntersecting));
      },
      { rootMargin: `${NEAR_PIXELS}px 0px` },
    );
    observer.observe(body);
    return () => observer.disconnect();
  }, []);
  const isShown = near || kept;
  // In pieces between which the browser answers the reader: the rows of a block take longer than a frame.
  const drawn = useDrawn(isShown ? count : 0, atOnce);
  // Blocks that hold nothing are not watched by the browser as well: of a hundred thousand rows there are thousands of them.
  const style = { '--height': `${height.current}px`, ...(isShown && drawn >= count ? {} : { minHeight: height.current }) };
  return (
    <tbody ref={element} className={isShown ? 'link-block' : undefined} style={style}>
      {isShown ? children(drawn) : null}
    </tbody>
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

interface RowProps {
  readonly link: ListedLink;
  readonly chosen: boolean;
  readonly onToggle: (link: ListedLink) => void;
  readonly onOpen: (link: string) => void;
}

/** Drawn again only if its own link or choice changes, or the language. */
const Row = memo(function Row({ link, chosen, onToggle, onOpen }: RowProps) {
  useLanguage();
  const shown = withoutScheme(link.url);
  const name = link.title ?? link.path;
  const live = isLive(link);
  return (
    <tr className={chosen ? 'link-row link-row-chosen' : 'link-row'}>
      <td className="cell-choice">
        {live ? (
          <input type="checkbox" aria-label={text('Choose {link}', { link: shown })} checked={chosen} onChange={() => onToggle(link)} />
        ) : null}
      </td>
      <td className="cell-link">
        <Tile url={leadsTo(link)} />
        <div>
          {/* An anchor, which the browser follows by itself: a Link is drawn again whenever the address changes, by each letter of a search. */}
          {live ? (
            <a href={`#/links/${link.id}`} onClick={() => onOpen(link.id)}>
              {name}
            </a>
          ) : (
            <span className="cell-name">{name}</span>
          )}
          <span className="cell-url">
            <span>
              <span className="cell-host">{shown.slice(0, shown.indexOf('/'))}</span>
              {shown.slice(shown.indexOf('/'))}
            </span>
            {live ? <CopyButton text={link.url} label={text('Copy {url}', { url: link.url })} /> : null}
          </span>
        </div>
      </td>
      {columnsOf(!live).map(({ name, show }) => (
        <td key={name} className={`cell-${name}`}>
          {show(link)}
        </td>
      ))}
    </tr>
  );
});
