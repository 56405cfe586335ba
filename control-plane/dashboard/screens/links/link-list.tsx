import { type ReactNode, useDeferredValue } from 'react';
import { Button, ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { Empty, Rows } from '../../parts/states.js';
import { useAllRows, useRows } from '../../session/queries.js';
import { useStickyState } from '../../session/sticky-state.js';
import { LinkRow } from './link-row.js';
import { LINK_STATES, type LinkState } from './link-states.js';

interface Filters {
  readonly path: string;
  readonly status: LinkState | '';
  readonly campaign: string;
}

const NO_FILTERS: Filters = { path: '', status: '', campaign: '' };

export function LinkList() {
  const [filters, setFilters] = useStickyState('links/filters', NO_FILTERS);
  // Typing does not wait for lists that the next letter replaces.
  const asked = useDeferredValue(filters);
  const path = pathOf(asked.path);
  const page = useRows('GET /links', {
    query: {
      ...(path === '' ? {} : { path }),
      ...(asked.status === '' ? {} : { status: asked.status }),
      ...(asked.campaign === '' ? {} : { campaign: asked.campaign }),
    },
  });
  const filtered = asked.path !== '' || asked.status !== '' || asked.campaign !== '';
  return (
    <Page
      title="Links"
      lead="Short URLs, each with a destination for every platform."
      actions={
        <>
          <ButtonLink to="/links/bulk">
            <Icon name="upload" /> Import
          </ButtonLink>
          <ButtonLink to="/links/new" variant="primary">
            <Icon name="plus" /> New link
          </ButtonLink>
        </>
      }
    >
      <LinkFilters filters={filters} onChange={setFilters} />
      <Rows page={page} label="Links" empty={filtered ? <NoMatch onClear={() => setFilters(NO_FILTERS)} /> : NO_LINKS}>
        {(link) => <LinkRow link={link} />}
      </Rows>
    </Page>
  );
}

/** Returns the path in the text entered, which may be a whole URL. Characters that no path can have are left out. */
function pathOf(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\/[^/]*\//, '')
    .replace(/^\//, '')
    .replace(/[?#].*$/, '')
    .replace(/[^\w-]/g, '')
    .slice(0, 64);
}

function LinkFilters({ filters, onChange }: { readonly filters: Filters; readonly onChange: (filters: Filters) => void }) {
  const campaigns = useAllRows('GET /campaigns', {}).rows;
  return (
    <search className="filters">
      <label className="filter-search">
        Path or short URL
        <input
          type="search"
          placeholder="spring"
          value={filters.path}
          onChange={(event) => onChange({ ...filters, path: event.target.value })}
        />
      </label>
      <label>
        State
        <select value={filters.status} onChange={(event) => onChange({ ...filters, status: event.target.value as Filters['status'] })}>
          <option value="">All</option>
          {LINK_STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
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
      A path is found by its beginning.
    </Empty>
  );
}
