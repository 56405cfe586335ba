import { type ReactNode, type RefObject, useDeferredValue, useRef, useState } from 'react';
import { Button, ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { useShortcut } from '../../parts/shortcuts.js';
import { Empty, Rows } from '../../parts/states.js';
import { useAllRows, useRows } from '../../session/queries.js';
import { useStickyState } from '../../session/sticky-state.js';
import { EditTags } from './edit-tags.js';
import { ExportLinks } from './export-links.js';
import { LinkRow } from './link-row.js';
import { useLinkSearch } from './link-search.js';
import { LINK_STATES, type LinkState } from './link-states.js';
import { SelectedLinks } from './selected-links.js';
import { useSelection } from './selection.js';

interface Filters {
  readonly search: string;
  readonly status: LinkState | 'archived' | '';
  readonly campaign: string;
  readonly tag: string;
}

const NO_FILTERS: Filters = { search: '', status: '', campaign: '', tag: '' };

/** By what a list is sorted, and in which direction. */
const ORDERS = {
  newest: { label: 'Newest first', query: {} },
  oldest: { label: 'Oldest first', query: { order: 'asc' } },
  name: { label: 'By name', query: { sort: 'name' } },
  clicks: { label: 'Most clicks', query: { sort: 'clicks' } },
} as const;

export function LinkList() {
  const [filters, setFilters] = useStickyState('links/filters', NO_FILTERS);
  const [order, setOrder] = useStickyState<keyof typeof ORDERS>('links/order', 'newest');
  const searchedFor = useLinkSearch();
  // Typing does not wait for lists that the next letter replaces.
  const asked = useDeferredValue(filters);
  const search = searchedFor(asked.search);
  const filter = {
    ...(search === '' ? {} : { search }),
    ...(asked.status === '' ? {} : asked.status === 'archived' ? { archived: true } : { status: asked.status }),
    ...(asked.campaign === '' ? {} : { campaign: asked.campaign }),
    ...(asked.tag === '' ? {} : { tag: asked.tag }),
  };
  const page = useRows('GET /links', { query: { ...filter, ...ORDERS[order].query, include: 'clicks' } });
  const selection = useSelection(page.rows);
  const [exporting, setExporting] = useState(false);
  const searchField = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search the links', () => searchField.current?.focus());
  const filtered = Object.values(asked).some((value) => value !== '');
  return (
    <Page
      title="Links"
      lead="Short URLs, each with a destination for every platform."
      actions={
        <>
          <ButtonLink to="/links/bulk">
            <Icon name="upload" /> Import
          </ButtonLink>
          <Button onClick={() => setExporting(true)}>
            <Icon name="download" /> Export
          </Button>
          <ButtonLink to="/links/new" variant="primary" shortcut="c">
            <Icon name="plus" /> New link
          </ButtonLink>
        </>
      }
    >
      <LinkFilters filters={filters} onChange={setFilters} searchField={searchField}>
        <label>
          Sort
          <select value={order} onChange={(event) => setOrder(event.target.value as keyof typeof ORDERS)}>
            {Object.entries(ORDERS).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </LinkFilters>
      {selection.links.length === 0 ? null : <SelectedLinks selection={selection} shown={page.rows} />}
      <Rows page={page} label="Links" empty={filtered ? <NoMatch onClear={() => setFilters(NO_FILTERS)} /> : NO_LINKS}>
        {(link) => <LinkRow link={link} choice={{ chosen: selection.has(link), toggle: () => selection.toggle(link) }} />}
      </Rows>
      {/* Clicks change while an export goes from page to page: a link could be in it twice, or not at all. */}
      {exporting ? (
        <ExportLinks query={{ ...filter, ...ORDERS[order === 'clicks' ? 'newest' : order].query }} onClose={() => setExporting(false)} />
      ) : null}
    </Page>
  );
}

interface LinkFiltersProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
  readonly searchField: RefObject<HTMLInputElement>;
  readonly children: ReactNode;
}

function LinkFilters({ filters, onChange, searchField, children }: LinkFiltersProps) {
  const campaigns = useAllRows('GET /campaigns', {}).rows;
  const tags = useAllRows('GET /tags', {}).rows;
  const [editing, setEditing] = useState(false);
  return (
    <search className="filters">
      <label className="filter-search">
        Search
        <input
          ref={searchField}
          type="search"
          aria-keyshortcuts="/"
          placeholder="Path, name, destination or tag"
          value={filters.search}
          onChange={(event) => onChange({ ...filters, search: event.target.value })}
        />
      </label>
      <label>
        State
        <select value={filters.status} onChange={(event) => onChange({ ...filters, status: event.target.value as Filters['status'] })}>
          <option value="">All</option>
          {LINK_STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
          <option value="archived">archived</option>
        </select>
      </label>
      <label>
        Campaign
        <select value={filters.campaign} onChange={(event) => onChange({ ...filters, campaign: event.target.value })}>
          <option value="">All</option>
          {campaigns.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {tags.length === 0 ? null : (
        <label>
          Tag
          <select value={filters.tag} onChange={(event) => onChange({ ...filters, tag: event.target.value })}>
            <option value="">All</option>
            {tags.map(({ id, name }) => (
              <option key={id}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {children}
      {tags.length === 0 ? null : (
        <span className="filter-button">
          <Button onClick={() => setEditing(true)}>Edit tags</Button>
        </span>
      )}
      {editing ? <EditTags onClose={() => setEditing(false)} /> : null}
    </search>
  );
}

const NO_LINKS: ReactNode = (
  <Empty
    icon="link"
    title="Make your first link"
    action={
      <ButtonLink to="/links/new" variant="primary">
        New link
      </ButtonLink>
    }
  >
    One short URL that leads iPhones, Android phones and computers each to the right place. It works the moment it is made.
  </Empty>
);

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty icon="search" title="No link matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
      A search finds parts of the path, the name, a destination or a tag. Archived links are shown by their state alone.
    </Empty>
  );
}
