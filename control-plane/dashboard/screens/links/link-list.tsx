import { type RefObject, useId, useMemo, useRef, useState } from 'react';
import { text, textOf } from '../../language/text.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { useInTurn } from '../../parts/in-turn.js';
import { Page } from '../../parts/page.js';
import { Paged } from '../../parts/paged.js';
import { LabelledSelect } from '../../parts/select.js';
import { useShortcut } from '../../parts/shortcuts.js';
import { Empty } from '../../parts/states.js';
import { statusWord } from '../../parts/status-words.js';
import { useKnownTags } from '../../session/known-tags.js';
import { useRows } from '../../session/queries.js';
import { CampaignChoice } from './campaign-choice.js';
import { EditTags } from './edit-tags.js';
import { ExportLinks } from './export-links.js';
import { useLinkSearch } from './link-search.js';
import { isLive, LINK_STATES } from './link-states.js';
import { LinkTable } from './link-table.js';
import { type ListState, NO_FILTERS, ORDERS, ordersOf, useListState, useReturn } from './list-state.js';
import { SelectedLinks } from './selected-links.js';
import { useSelection } from './selection.js';

/** The screen on which links are found, sorted, selected and opened. */
export function LinkList() {
  const { state, change, open } = useListState();
  const searchedFor = useLinkSearch();
  // Typing does not wait for lists to be drawn that the next letter replaces.
  const asked = useInTurn(state);
  const filter = filterOf(asked, searchedFor(asked.search));
  // A file contains only links that are not deleted.
  const exportable = asked.status === 'deleted' ? null : { ...filter, ...statusOf(asked.status) };
  const query = { ...filter, ...(asked.status === 'deleted' ? { status: asked.status } : exportable) };
  const page = useRows('GET /links', { query: { ...query, ...ORDERS[asked.order].query, include: 'daily_clicks', limit: ROWS } });
  const opened = useReturn(page, state.pages);
  const live = useMemo(() => page.rows.filter(isLive), [page.rows]);
  const selection = useSelection(live);
  const [exporting, setExporting] = useState(false);
  const searchField = useRef<HTMLInputElement>(null);
  useShortcut('/', text('Search the links'), () => searchField.current?.focus());
  const filtered = [asked.search, asked.status, asked.campaign, asked.tag].some((value) => value !== '');
  return (
    <Page
      title={text('Links')}
      lead={text('Short URLs, each with a destination for every platform.')}
      wide
      actions={<ListActions onExport={exportable === null ? null : () => setExporting(true)} />}
    >
      <LinkFilters state={state} change={change} searchField={searchField} />
      <SelectedLinks selection={selection} shown={live} />
      <Paged
        page={page}
        empty={filtered ? <NoMatch onClear={() => change(NO_FILTERS)} /> : <NoLinks />}
        onMore={() => change({ pages: state.pages + 1 }, true)}
        order={textOf(ORDERS[asked.order].label)}
        endless
      >
        {(links) => (
          <LinkTable
            deleted={asked.status === 'deleted'}
            links={links}
            selection={selection}
            order={state.order}
            keep={opened}
            onOrder={(order) => change({ order })}
            onOpen={open}
          />
        )}
      </Paged>
      {exporting && exportable !== null ? <ExportLinks query={exportable} filtered={filtered} onClose={() => setExporting(false)} /> : null}
    </Page>
  );
}

/** `onExport` is null if nothing can be exported. */
function ListActions({ onExport }: { readonly onExport: (() => void) | null }) {
  return (
    <>
      <ButtonLink needs="links:write" to="/links/bulk">
        <Icon name="upload" /> {text('Import')}
      </ButtonLink>
      {onExport === null ? null : (
        <Button onClick={onExport}>
          <Icon name="download" /> {text('Export')}
        </Button>
      )}
      <ButtonLink needs="links:write" to="/links/new" variant="primary" shortcut="c">
        <Icon name="plus" /> {text('New link')}
      </ButtonLink>
    </>
  );
}

/** Rows per page: about two window heights. */
const ROWS = 50;

function statusOf(status: Exclude<ListState['status'], 'deleted'>) {
  if (status === '') return {};
  return status === 'archived' ? { archived: true } : { status };
}

function filterOf({ campaign, tag }: ListState, search: string) {
  return {
    ...(search === '' ? {} : { search }),
    ...(campaign === '' ? {} : { campaign }),
    ...(tag === '' ? {} : { tag }),
  };
}

interface LinkFiltersProps {
  readonly state: ListState;
  readonly change: (part: Partial<ListState>, inPlace?: boolean) => void;
  readonly searchField: RefObject<HTMLInputElement>;
}

function LinkFilters({ state, change, searchField }: LinkFiltersProps) {
  const tags = useKnownTags();
  const [editing, setEditing] = useState(false);
  const campaignField = useId();
  return (
    <search className="filters">
      <label className="filter-search">
        {text('Search')}
        <input
          ref={searchField}
          type="search"
          aria-keyshortcuts="/"
          placeholder={text('Path, name, destination or tag')}
          value={state.search}
          onChange={(event) => change({ search: event.target.value }, true)}
        />
      </label>
      <LabelledSelect<ListState['status']>
        label={text('State')}
        value={state.status}
        choices={[
          { value: '', label: text('All') },
          ...([...LINK_STATES, 'archived', 'deleted'] as const).map((value) => ({ value, label: statusWord(value) })),
        ]}
        onChange={(status) => change({ status })}
      />
      <div className="filter">
        <label htmlFor={campaignField} id={`${campaignField}-label`}>
          {text('Campaign')}
        </label>
        <CampaignChoice id={campaignField} value={state.campaign} none={text('All')} onChoose={(campaign) => change({ campaign })} />
      </div>
      <LabelledSelect
        label={text('Tag')}
        value={state.tag}
        choices={[{ value: '', label: text('All') }, ...tags.map(({ name }) => ({ value: name, label: name }))]}
        onChange={(tag) => change({ tag })}
      />
      <LabelledSelect
        label={text('Sort')}
        value={state.order}
        choices={ordersOf(state.status).map((order) => ({ value: order, label: textOf(ORDERS[order].label) }))}
        onChange={(order) => change({ order })}
      />
      <span className="filter-button">
        <Button needs="links:write" onClick={() => setEditing(true)} disabled={tags.length === 0}>
          {text('Edit tags')}
        </Button>
      </span>
      {editing ? (
        <EditTags onChanged={(before, tag) => before === state.tag && change({ tag }, true)} onClose={() => setEditing(false)} />
      ) : null}
    </search>
  );
}

function NoLinks() {
  return (
    <Empty
      icon="link"
      title={text('Create your first link')}
      action={
        <ButtonLink needs="links:write" to="/links/new">
          {text('New link')}
        </ButtonLink>
      }
    >
      {text('One short URL leads iPhones, Android phones and computers to the right place. It works at once.')}
    </Empty>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty icon="search" title={text('No link matches')} action={<Button onClick={onClear}>{text('Clear the filters')}</Button>}>
      {text(
        'A search finds parts of the path, the name, a destination, an alias or a tag. To see archived or deleted links, choose that state.',
      )}
    </Empty>
  );
}
