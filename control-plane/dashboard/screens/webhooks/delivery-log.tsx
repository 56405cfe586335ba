import { useState } from 'react';
import type { Delivery, DeliveryListQuery } from '../../../../shared/contract/schemas/webhook.js';
import { indentedJson } from '../../format/json.js';
import { durationMs } from '../../format/numbers.js';
import { Time } from '../../format/time.js';
import { fromLocalInput } from '../../format/times.js';
import { counted, text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { DateField } from '../../parts/date-field.js';
import { Fact, TimeFact } from '../../parts/fact.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { CodeBlock } from '../../parts/scrolling.js';
import { LabelledSelect } from '../../parts/select.js';
import { Empty, Reversed } from '../../parts/states.js';
import { statusWord } from '../../parts/status-words.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useListFilters } from '../../session/list-filters.js';
import { type PagedRows, useRows, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { EVENT_TYPES, type EventType } from './event-types.js';
import { ReplayFailures } from './replay-failures.js';

/** Every status of the contract. This does not compile if the contract has another one. */
const EACH_STATUS: Readonly<Record<Delivery['status'], true>> = {
  pending: true,
  succeeded: true,
  retrying: true,
  failed: true,
  abandoned: true,
};
const STATUSES = Object.keys(EACH_STATUS) as readonly Delivery['status'][];

interface Filters {
  readonly status: Delivery['status'] | '';
  readonly type: EventType | '';
  readonly from: string;
  readonly to: string;
}

const NO_FILTERS: Filters = { status: '', type: '', from: '', to: '' };
/** A delivery that is due is sent within a second or two, and the user waits for it. Other attempts are minutes apart. */
const REFRESH_PENDING_MS = 1000;
const REFRESH_MS = 5000;

function refreshMs(deliveries: readonly Delivery[]): number {
  return deliveries.some(({ status }) => status === 'pending') ? REFRESH_PENDING_MS : REFRESH_MS;
}

/** Every attempt to deliver an event, newest first, with the request and the response. */
export function DeliveryLog({ webhookId }: { readonly webhookId: string }) {
  const { timeZone } = useSignedIn();
  const [filters, change] = useListFilters(`/webhooks/${webhookId}`, NO_FILTERS);
  const from = fromLocalInput(filters.from, timeZone);
  const to = fromLocalInput(filters.to, timeZone);
  const query: DeliveryListQuery = {
    ...(filters.status === '' ? {} : { status: filters.status }),
    ...(filters.type === '' ? {} : { event_type: filters.type }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
  // Users want to see deliveries that they have sent again themselves.
  const [replayed, setReplayed] = useState(false);
  const [filtered, setFiltered] = useState(false);
  const choose: typeof change = (part, inPlace) => {
    setFiltered(true);
    change(part, inPlace);
  };
  return (
    <Card
      title={text('Deliveries')}
      actions={
        <>
          <span className="muted">{from !== null ? null : to === null ? text('The last 7 days') : text('The 7 days before')}</span>
          <ReplayFailures webhookId={webhookId} query={query} onDone={() => setReplayed(true)} />
        </>
      }
    >
      <LogFilters filters={filters} onChange={choose} />
      {from !== null && to !== null && from > to ? (
        <Reversed />
      ) : (
        // A new query gets a new list, without the open and the known entries of the previous one.
        <LogEntries
          key={JSON.stringify(query)}
          webhookId={webhookId}
          query={query}
          replayed={replayed}
          onReplayed={setReplayed}
          saysFirst={filtered}
          onClear={() => choose(NO_FILTERS)}
        />
      )}
    </Card>
  );
}

interface LogEntriesProps {
  readonly webhookId: string;
  readonly query: DeliveryListQuery;
  readonly replayed: boolean;
  readonly onReplayed: (replayed: boolean) => void;
  /** Whether the entries are the result of filters that the user has just chosen. */
  readonly saysFirst: boolean;
  readonly onClear: () => void;
}

function LogEntries({ webhookId, query, replayed, onReplayed, saysFirst, onClear }: LogEntriesProps) {
  const page = useRows('GET /webhooks/{webhook}/deliveries', { params: { webhook: webhookId }, query }, { refreshMs });
  const filtered = Object.keys(query).length > 0;
  const [isReading, setReading] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // An entry that leaves the list while it is open reports no change.
  const stillOpen = page.rows.filter(({ id }) => open.has(id));
  if (stillOpen.length < open.size) setOpen(new Set(stillOpen.map(({ id }) => id)));
  const held = useHeldRows(page, (isReading || stillOpen.length > 0) && !replayed);
  const onToggle = (id: string, isOpen: boolean) => {
    onReplayed(false);
    setOpen((before) => new Set(isOpen ? [...before, id] : [...before].filter((other) => other !== id)));
  };
  const leave = () => {
    setReading(false);
    onReplayed(false);
  };
  return (
    <section onPointerEnter={() => setReading(true)} onPointerLeave={leave}>
      {held.waiting === 0 ? null : (
        <div className="more">
          <Button onClick={held.show}>{counted(held.waiting, 'Show {count} new delivery', 'Show {count} new deliveries')}</Button>
        </div>
      )}
      <Rows
        page={held.page}
        label={text('Deliveries')}
        saysFirst={saysFirst}
        empty={
          filtered ? (
            <Empty
              icon="search"
              title={text('No delivery matches')}
              action={<Button onClick={onClear}>{text('Clear the filters')}</Button>}
            >
              {text('The log keeps deliveries for 30 days.')}
            </Empty>
          ) : (
            <Empty icon="webhook" title={text('Nothing has been sent yet')}>
              {text('Send a test event, or cause one of the events that the endpoint is subscribed to.')}
            </Empty>
          )
        }
      >
        {(delivery) => <DeliveryEntry delivery={delivery} onToggle={onToggle} onReplay={() => onReplayed(true)} />}
      </Rows>
    </section>
  );
}

/**
 * Splits off the rows that arrive while `held`. They stay hidden, and their number is returned, until the user asks for them, so that
 * nothing moves under the pointer. Rows that are shown still change when they are read again.
 */
function useHeldRows(page: PagedRows<Delivery>, held: boolean) {
  const [before, setBefore] = useState<ReadonlySet<string> | null>(null);
  if (held && before === null && page.rows.length > 0) setBefore(new Set(page.rows.map(({ id }) => id)));
  if (!held && before !== null) setBefore(null);
  // New rows are at the top. Rows after a known one belong to an older page.
  const first = before === null ? 0 : page.rows.findIndex(({ id }) => before.has(id));
  const waiting = Math.max(0, first);
  return { page: { ...page, rows: page.rows.slice(waiting) }, waiting, show: () => setBefore(new Set(page.rows.map(({ id }) => id))) };
}

interface LogFiltersProps {
  readonly filters: Filters;
  readonly onChange: (part: Partial<Filters>, inPlace?: boolean) => void;
}

function LogFilters({ filters, onChange }: LogFiltersProps) {
  return (
    <div className="filters">
      <LabelledSelect
        label={text('State')}
        value={filters.status}
        choices={[{ value: '', label: text('All') }, ...STATUSES.map((status) => ({ value: status, label: statusWord(status) }))]}
        onChange={(status) => onChange({ status })}
      />
      <LabelledSelect
        label={text('Event')}
        value={filters.type}
        choices={[{ value: '', label: text('All') }, ...EVENT_TYPES.map((type) => ({ value: type, label: type }))]}
        onChange={(type) => onChange({ type })}
      />
      <DateField type="datetime-local" label={text('From')} value={filters.from} onChange={(from) => onChange({ from }, true)} />
      <DateField type="datetime-local" label={text('To')} value={filters.to} onChange={(to) => onChange({ to }, true)} />
    </div>
  );
}

interface EntryProps {
  readonly delivery: Delivery;
  readonly onToggle: (id: string, isOpen: boolean) => void;
  readonly onReplay: () => void;
}

function DeliveryEntry({ delivery, onToggle, onReplay }: EntryProps) {
  return (
    <details className="delivery" onToggle={({ currentTarget }) => onToggle(delivery.id, currentTarget.open)}>
      <summary className="delivery-summary side-by-side">
        <StatusBadge status={delivery.status} />
        <code>{delivery.event_type}</code>
        <span className="delivery-facts">
          {delivery.kind === 'automatic' ? text('attempt {attempt}', { attempt: delivery.attempt }) : statusWord(delivery.kind)}
          {delivery.response_code === null ? null : <span>HTTP {delivery.response_code}</span>}
          {delivery.latency_ms === null ? null : <span>{durationMs(delivery.latency_ms)}</span>}
          <Time at={delivery.created_at} relative />
        </span>
      </summary>
      <DeliveryDetails delivery={delivery} onReplay={onReplay} />
    </details>
  );
}

function DeliveryDetails({ delivery, onReplay }: Omit<EntryProps, 'onToggle'>) {
  return (
    <div className="stack entry-body">
      <dl className="facts">
        <Fact label={text('Delivery')}>
          <code>{delivery.id}</code>
        </Fact>
        <Fact label={text('Event')}>
          <code>{delivery.event_id}</code>
        </Fact>
        <TimeFact label={text('Queued')} at={delivery.created_at} />
        <TimeFact label={text('Next attempt')} at={delivery.next_attempt_at} />
        {delivery.error === null ? null : (
          <Fact label={text('Error')}>
            <span lang="en">{delivery.error}</span>
          </Fact>
        )}
      </dl>
      <div className="columns columns-wide">
        <div>
          <h3>{text('Request')}</h3>
          <CodeBlock label={text('Request')}>{shown(delivery.request_body)}</CodeBlock>
        </div>
        <div>
          <h3>{text('Response')}</h3>
          <CodeBlock label={text('Response')}>{shown(delivery.response_body)}</CodeBlock>
        </div>
      </div>
      <Replay delivery={delivery} onReplay={onReplay} />
    </div>
  );
}

/** A body as it was logged, which is limited to 2 KB. */
function shown(body: string | null): string {
  return body === null || body === '' ? text('None.') : indentedJson(body);
}

function Replay({ delivery, onReplay }: Omit<EntryProps, 'onToggle'>) {
  const replay = useWrite('POST /webhooks/{webhook}/deliveries/{delivery}/replay', {
    outdates: ['/webhooks/{webhook}/deliveries'],
    onDone: () => {
      onReplay();
      toast(text('The event is being sent again, with the same id.'));
    },
    onFailed: toastFailure,
  });
  return (
    <div className="form-buttons">
      <Button
        needs="webhooks:write"
        busy={replay.isPending}
        disabled={delivery.status === 'pending'}
        onClick={() => replay.mutate({ params: { webhook: delivery.webhook_id, delivery: delivery.id } })}
      >
        <Icon name="refresh" /> {text('Replay')}
      </Button>
    </div>
  );
}
