import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Conversions } from '../../../../shared/contract/schemas/conversions.js';
import { exactCount, figureOf, moneyOf } from '../../format/numbers.js';
import { type Message, message, text, textOf } from '../../language/text.js';
import { FigureTable } from '../../parts/figure-table.js';
import { Tabs } from '../../parts/tabs.js';

/** How a first open was matched to a click. */
const MATCHES: Readonly<Record<Conversions['match_types'][number]['match_type'], Message>> = {
  opened_url: message('The link itself was opened'),
  play_referrer: message('Referrer of the Play store'),
  clipboard: message('Clipboard'),
  probabilistic: message('Same network and device'),
};

const REACHED = [
  message('Clicks by people'),
  message('First opens'),
  message('Later opens'),
  message('Events'),
  message('Values'),
] as const;

type Reached = Pick<Conversions['links'][number], 'clicks' | 'installs' | 'opens' | 'events' | 'values'>;

function reachedOf({ clicks, installs, opens, events, values }: Reached): readonly string[] {
  return [figureOf(clicks), exactCount(installs), exactCount(opens), exactCount(events), sumsOf(values)];
}

interface Table {
  readonly tab: Message;
  readonly label: Message;
  readonly head: readonly Message[];
  /** The first cell of a row is its name. */
  readonly rows: (conversions: Conversions) => readonly (readonly ReactNode[])[];
}

/** The conversions of clicks, grouped in different ways. */
const TABLES = {
  links: {
    tab: message('By link'),
    label: message('Conversions by link'),
    head: [message('Link'), ...REACHED],
    rows: ({ links }) => links.map(({ link, path, ...row }) => [<LinkName key="link" link={link} path={path} />, ...reachedOf(row)]),
  },
  campaigns: {
    tab: message('By campaign'),
    label: message('Conversions by campaign'),
    head: [message('Campaign'), ...REACHED],
    rows: ({ campaigns }) => campaigns.map((row) => [row.campaign ?? text('No campaign'), ...reachedOf(row)]),
  },
  resource_types: {
    tab: message('By resource type'),
    label: message('Conversions by resource type'),
    head: [message('Resource type'), ...REACHED],
    rows: (conversions) => conversions.resource_types.map((row) => [row.resource_type, ...reachedOf(row)]),
  },
  items: {
    tab: message('By item'),
    label: message('Conversions by item'),
    head: [message('Item'), ...REACHED],
    rows: ({ items }) => items.map((row) => [`${row.resource_type} ${row.item}`, ...reachedOf(row)]),
  },
  events: {
    tab: message('Events'),
    label: message('Tracked events'),
    head: [message('Event'), message('How many'), message('Values')],
    rows: ({ events }) => events.map(({ name, count, values }) => [name, exactCount(count), sumsOf(values)]),
  },
  match_types: {
    tab: message('Match types'),
    label: message('How first opens were matched'),
    head: [message('Match'), message('First opens')],
    rows: (conversions) => conversions.match_types.map(({ match_type, installs }) => [textOf(MATCHES[match_type]), exactCount(installs)]),
  },
} as const satisfies Readonly<Partial<Record<keyof Conversions, Table>>>;
type TableName = keyof typeof TABLES;

const PANEL = 'conversions-by';

export function ConversionTables({ conversions }: { readonly conversions: Conversions }) {
  const [name, setName] = useState<TableName>('links');
  const { tab, label, head, rows }: Table = TABLES[name];
  return (
    <>
      <Tabs
        small
        label={text('Conversions by')}
        value={name}
        tabs={(Object.keys(TABLES) as TableName[]).map((value) => ({ value, label: textOf(TABLES[value].tab) }))}
        panel={PANEL}
        onChange={(value) => setName(value as TableName)}
      />
      <div id={PANEL} role="tabpanel" aria-label={textOf(tab)}>
        {conversions[name].length === 0 ? (
          <p className="muted">{text('None on these days.')}</p>
        ) : (
          <FigureTable label={textOf(label)} head={head.map((column) => textOf(column))} rows={rows(conversions)} />
        )}
      </div>
    </>
  );
}

/** A link that was deleted permanently has no path and no screen. */
function LinkName({ link, path }: Pick<Conversions['links'][number], 'link' | 'path'>) {
  if (link === null || path === null) return <span>{link ?? text('No link')}</span>;
  return <Link href={`/links/${link}`}>{path}</Link>;
}

/** One sum for each currency, because sums in different currencies cannot be added. */
function sumsOf(values: Reached['values']): string {
  return values.length === 0 ? '–' : values.map(({ currency, sum }) => moneyOf(sum, currency)).join(', ');
}
