import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Conversions } from '../../../../shared/contract/schemas/conversions.js';
import { exactCount, moneyOf } from '../../format/numbers.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { TableFrame } from '../../parts/scrolling.js';
import { Tabs } from '../../parts/tabs.js';

/** What clicks have led to, told apart. */
const TABLES = {
  links: message('By link'),
  campaigns: message('By campaign'),
  events: message('Events'),
  match_types: message('Match types'),
} as const satisfies Readonly<Partial<Record<keyof Conversions, Message>>>;
type Table = keyof typeof TABLES;

/** How a first open was found to belong to a click. */
const MATCHES: Readonly<Record<Conversions['match_types'][number]['match_type'], Message>> = {
  opened_url: message('The link itself was opened'),
  play_referrer: message('Referrer of the Play store'),
  clipboard: message('Clipboard'),
  probabilistic: message('Same network and device'),
};

const PANEL = 'conversions-by';

export function ConversionTables({ conversions }: { readonly conversions: Conversions }) {
  const [table, setTable] = useState<Table>('links');
  return (
    <>
      <Tabs
        small
        label={text('What conversions belong to')}
        value={table}
        tabs={(Object.keys(TABLES) as Table[]).map((name) => ({ value: name, label: textOf(TABLES[name]) }))}
        panel={PANEL}
        onChange={(name) => setTable(name as Table)}
      />
      <div id={PANEL} role="tabpanel" aria-label={textOf(TABLES[table])}>
        <Shown table={table} conversions={conversions} />
      </div>
    </>
  );
}

function Shown({ table, conversions }: { readonly table: Table; readonly conversions: Conversions }) {
  if (conversions[table].length === 0) return <p className="muted">{text('None in these days.')}</p>;
  const head = REACHED.map((column) => textOf(column));
  if (table === 'events')
    return (
      <Figures
        label={text('Tracked events')}
        head={[text('Event'), text('How many'), text('Values')]}
        rows={conversions.events.map(({ name, count, values }) => [name, exactCount(count), sumsOf(values)])}
      />
    );
  if (table === 'match_types')
    return (
      <Figures
        label={text('How first opens were matched')}
        head={[text('Match'), text('First opens')]}
        rows={conversions.match_types.map(({ match_type, installs }) => [textOf(MATCHES[match_type]), exactCount(installs)])}
      />
    );
  if (table === 'campaigns')
    return (
      <Figures
        label={text('Conversions by campaign')}
        head={[text('Campaign'), ...head]}
        rows={conversions.campaigns.map((row) => [row.campaign ?? text('No campaign'), ...reachedOf(row)])}
      />
    );
  return (
    <Figures
      label={text('Conversions by link')}
      head={[text('Link'), ...head]}
      rows={conversions.links.map(({ link, path, ...row }) => [<LinkName key="link" link={link} path={path} />, ...reachedOf(row)])}
    />
  );
}

/** One that was deleted for good has no path, and no screen. */
function LinkName({ link, path }: Pick<Conversions['links'][number], 'link' | 'path'>) {
  if (link === null || path === null) return <span>{link ?? text('No link')}</span>;
  return <Link href={`/links/${link}`}>{path}</Link>;
}

const REACHED = [
  message('Clicks of people'),
  message('First opens'),
  message('Later opens'),
  message('Events'),
  message('Values'),
] as const;

type Reached = Pick<Conversions['links'][number], 'clicks' | 'installs' | 'opens' | 'events' | 'values'>;

function reachedOf({ clicks, installs, opens, events, values }: Reached): readonly string[] {
  return [clicks === null ? '–' : exactCount(clicks), exactCount(installs), exactCount(opens), exactCount(events), sumsOf(values)];
}

/** A sum for each currency: they cannot be added. */
function sumsOf(values: Reached['values']): string {
  return values.length === 0 ? '–' : values.map(({ currency, sum }) => moneyOf(sum, currency)).join(', ');
}

interface FiguresProps {
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell of a row says what it is about. */
  readonly rows: readonly (readonly ReactNode[])[];
}

function Figures({ label, head, rows }: FiguresProps) {
  return (
    <TableFrame label={label}>
      <thead>
        <tr>
          {head.map((name, place) => (
            <th key={name} scope="col" className={place === 0 ? undefined : 'number'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows hold no state
          <tr key={row}>
            {cells.map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are told apart by their place alone
              <td key={place} className={place === 0 ? undefined : 'number'}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
