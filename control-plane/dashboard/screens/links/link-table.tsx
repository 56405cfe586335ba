import { counted, message, text } from '../../language/text.js';
import { HostAndPath } from '../../parts/host-and-path.js';
import './link-table.css';
import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { ListedLink } from '../../../../shared/contract/schemas/link-list.js';
import { Sparkline } from '../../charts/sparkline.js';
import { count } from '../../format/numbers.js';
import { Time } from '../../format/time.js';
import { withoutScheme } from '../../format/urls.js';
import { useLanguage } from '../../language/language.js';
import { StatusBadge } from '../../parts/badge.js';
import type { BlockRange } from '../../parts/block-heights.js';
import { useBlockWindow } from '../../parts/block-window.js';
import { CopyButton } from '../../parts/copy.js';
import { inTurn, useDrawn } from '../../parts/in-turn.js';
import { leadsTo } from './link-row.js';
import { isLive } from './link-states.js';
import { type NamedColumn, TableHead } from './link-table-head.js';
import type { Order } from './list-state.js';
import { RestoreButton } from './restore-button.js';
import type { Selection } from './selection.js';
import { Tags } from './tags.js';
import { Tile } from './tile.js';

interface Column extends NamedColumn {
  readonly show: (link: ListedLink) => ReactNode;
}

const CLICKS: Column = {
  name: 'clicks',
  label: message('Clicks by people'),
  show: ({ clicks, daily_clicks }) => <Clicks clicks={clicks ?? 0} days={daily_clicks} />,
};

/** As many tags as a row has room for. */
const TAGS_SHOWN = 2;

/** The columns of a row after its name. A new column needs another entry here, and a width in `--columns` of the style sheet. */
const COLUMNS: readonly Column[] = [
  { name: 'destination', label: message('Destination'), show: (link) => withoutScheme(leadsTo(link)) },
  { name: 'tags', label: message('Tags'), show: ({ tags }) => <Tags names={tags} most={TAGS_SHOWN} /> },
  { name: 'campaign', label: message('Campaign'), show: ({ campaign }) => campaign },
  { ...CLICKS, orders: ['clicks', 'clicks_asc'] },
  {
    name: 'created',
    label: message('Created'),
    show: ({ created_at }) => <Time at={created_at} relative />,
    orders: ['newest', 'oldest'],
  },
  { name: 'maker', label: message('Created by'), show: ({ created_by }) => created_by },
  { name: 'state', label: message('State'), show: ({ status, archived }) => <StatusBadge status={archived ? 'archived' : status} /> },
];

/** The columns that replace others in the list of deleted links. */
const COLUMNS_OF_DELETED: Readonly<Record<string, Column>> = {
  clicks: CLICKS,
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
      <span title={text('Clicks by people in the last 30 days')}>
        {count(clicks)} <span className="cell-unit">{counted(clicks, 'click', 'clicks')}</span>
      </span>
      <Sparkline values={days} />
    </>
  );
}

interface LinkTableProps {
  readonly links: readonly ListedLink[];
  /** Whether this is the list of deleted links, which can only be restored. */
  readonly deleted: boolean;
  readonly selection: Selection;
  readonly order: Order;
  /** Id of a link that is always drawn, wherever it is. */
  readonly keep: string | null;
  readonly onOrder: (order: Order) => void;
  readonly onOpen: (link: string) => void;
}

/** The main list of links. Rows far outside of the window are not drawn, so that thousands of rows scroll as smoothly as a few. */
export function LinkTable({ links, deleted, selection, order, keep, onOrder, onOpen }: LinkTableProps) {
  const latest = useRef({ selection, onOpen });
  latest.current = { selection, onOpen };
  const toggle = useCallback((link: ListedLink) => latest.current.selection.toggle(link), []);
  const open = useCallback((link: string) => latest.current.onOpen(link), []);
  const table = useRef<HTMLTableElement>(null);
  const { near, heights } = useBlockWindow(table, links.length, { blockRows: BLOCK_ROWS, guess: ROW_PIXELS });
  const kept = keep === null ? -1 : Math.floor(links.findIndex(({ id }) => id === keep) / BLOCK_ROWS);
  return (
    <table
      ref={table}
      className={deleted ? 'link-table framed link-table-deleted' : 'link-table framed'}
      aria-label={text('Links')}
      aria-rowcount={links.length + 1}
    >
      <TableHead columns={columnsOf(deleted)} links={links} selection={deleted ? null : selection} order={order} onOrder={onOrder} />
      {partsOf(heights.blocks(links.length), near, kept).map((part) =>
        'block' in part ? (
          <Block
            key={`block ${part.block}`}
            place={part.block}
            count={rowsOf(links, part.block).length}
            height={heights.of({ first: part.block, end: part.block + 1 }, links.length)}
            atOnce={part.block === kept ? BLOCK_ROWS : ROWS_AT_ONCE}
            shown={part.block === kept || part.block === 0}
          >
            {(drawn) =>
              rowsOf(links, part.block)
                .slice(0, drawn)
                .map((link, index) => (
                  <Row
                    key={link.id}
                    link={link}
                    place={part.block * BLOCK_ROWS + index}
                    chosen={selection.has(link)}
                    onToggle={toggle}
                    onOpen={open}
                  />
                ))
            }
          </Block>
        ) : (
          <tbody key={`far ${part.place}`} style={{ height: heights.of(part, links.length) }} />
        ),
      )}
    </table>
  );
}

/** Rows that are drawn and removed together: about the height of a window. */
const BLOCK_ROWS = 10;
const ROW_PIXELS = 56;
/** As many rows as a processor a quarter as fast as usual draws well within 100 ms, together with the page around them. */
const ROWS_AT_ONCE = 5;

function rowsOf(links: readonly ListedLink[], block: number): readonly ListedLink[] {
  return links.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
}

/** A block that is drawn, or a range of blocks that are far away. */
type TablePart = { readonly block: number } | (BlockRange & { readonly place: number });

/** The first block is always drawn, and so is the one with the kept link. */
function partsOf(blocks: number, near: BlockRange, kept: number): readonly TablePart[] {
  const drawn = new Set([0, kept, ...Array.from({ length: near.end - near.first }, (_, index) => near.first + index)]);
  const parts: TablePart[] = [];
  let first = 0;
  for (const block of [...[...drawn].filter((each) => each >= 0 && each < blocks).sort((a, b) => a - b), blocks]) {
    if (first < block) parts.push({ first, end: block, place: parts.length });
    if (block < blocks) parts.push({ block });
    first = block + 1;
  }
  return parts;
}

interface BlockProps {
  readonly place: number;
  readonly count: number;
  /** The assumed height until the rows are drawn. */
  readonly height: number;
  /** Rows that are drawn together. The others follow in turn. */
  readonly atOnce: number;
  /** Whether the first rows are drawn at once instead of in turn. */
  readonly shown: boolean;
  /** The first rows of the block, up to the given number. */
  readonly children: (drawn: number) => ReactNode;
}

/** Reserves the space of its rows until all of them are drawn. */
function Block({ place, count, height, atOnce, shown, children }: BlockProps) {
  const [begun, setBegun] = useState(shown);
  useEffect(() => (begun ? undefined : inTurn(() => setBegun(true))), [begun]);
  // Drawn in pieces, because the rows of a block take longer than a frame. The browser responds to input between the pieces.
  const drawn = useDrawn(begun ? count : 0, atOnce);
  const isDrawn = begun && drawn >= count;
  return (
    <tbody data-block={place} className="link-block" style={isDrawn ? {} : { minHeight: height }}>
      {begun ? children(drawn) : null}
    </tbody>
  );
}

interface RowProps {
  readonly link: ListedLink;
  /** Its place in the whole list, which screen readers say, because not all rows are in the page. */
  readonly place: number;
  readonly chosen: boolean;
  readonly onToggle: (link: ListedLink) => void;
  readonly onOpen: (link: string) => void;
}

/** Drawn again only if its own link, its place, its selection or the language changes. */
const Row = memo(function Row({ link, place, chosen, onToggle, onOpen }: RowProps) {
  useLanguage();
  const shown = withoutScheme(link.url);
  const name = link.title ?? link.path;
  const live = isLive(link);
  return (
    // The heading is the first row.
    <tr aria-rowindex={place + 2} className={chosen ? 'link-row link-row-chosen' : 'link-row'}>
      <td className="cell-choice">
        {live ? (
          <input type="checkbox" aria-label={text('Choose {link}', { link: shown })} checked={chosen} onChange={() => onToggle(link)} />
        ) : null}
      </td>
      <th scope="row" className="cell-link">
        <Tile url={leadsTo(link)} />
        <div>
          {/* A plain anchor, because a Link is drawn again whenever the address changes, which happens with each letter of a search. */}
          {live ? (
            <a className="cell-name one-line" dir="auto" href={`#/links/${link.id}`} onClick={() => onOpen(link.id)}>
              {name}
            </a>
          ) : (
            <span className="cell-name one-line" dir="auto">
              {name}
            </span>
          )}
          <span className="cell-url">
            <HostAndPath url={link.url} />
            {live ? <CopyButton text={link.url} label={text('Copy {url}', { url: link.url })} /> : null}
          </span>
        </div>
      </th>
      {columnsOf(!live).map(({ name, show }) => (
        <td key={name} className={`cell-${name}`}>
          {show(link)}
        </td>
      ))}
    </tr>
  );
});
