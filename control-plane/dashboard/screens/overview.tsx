import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { ApiError } from '../api/client.js';
import { CLICKS_REFRESH_MS, Clicks } from '../charts/clicks.js';
import { useClicksRange } from '../charts/clicks-asked.js';
import { TopLinks } from '../charts/top-links.js';
import { count, share } from '../format/numbers.js';
import { Time } from '../format/time.js';
import { rich } from '../language/rich.js';
import { counted, text } from '../language/text.js';
import { ButtonLink } from '../parts/button.js';
import { FigureTable } from '../parts/figure-table.js';
import { Icon } from '../parts/icon.js';
import { InTurn } from '../parts/in-turn.js';
import { Card, Page } from '../parts/page.js';
import { Row } from '../parts/row.js';
import { Answered, Empty, Loading } from '../parts/states.js';
import { environmentWord } from '../session/environment-words.js';
import { useRead } from '../session/queries.js';
import { useMay, useSignedIn } from '../session/signed-in.js';
import { LinkRow } from './links/link-row.js';
import { ENDPOINT_REFRESH_MS, endpointState } from './webhooks/endpoint-state.js';

/** Shows the environment's links, clicks and deliveries, and the next steps. */
export function Overview() {
  const { settings } = useSignedIn();
  const known = useAllRead();
  return (
    <Page
      title={text('Overview')}
      lead={text('{project}, {environment} environment', { project: settings.project.name, environment: environmentWord(settings.name) })}
      actions={
        <ButtonLink needs="links:write" to="/links/new" variant="primary">
          <Icon name="plus" /> {text('New link')}
        </ButtonLink>
      }
    >
      {known ? (
        <div className="stack">
          <InTurn>
            <FirstSteps />
            <EnvironmentClicks />
            <Resources />
            <div className="columns columns-wide">
              <LatestLinks />
              <Endpoints />
            </div>
          </InTurn>
        </div>
      ) : (
        <Loading lines={14} />
      )}
    </Page>
  );
}

/** Whether everything on the screen has been read or has failed. All parts appear together, so that none moves another one. */
function useAllRead(): boolean {
  const [range] = useClicksRange();
  const reads = [
    useRead('GET /links', LATEST),
    useRead('GET /webhooks', LATEST),
    useRead('GET /resource-types', ONE),
    useRead('GET /stats', { query: { range } }),
    useRead('GET /resources/stats', WEEK),
  ];
  const [first] = useState({ known: false });
  // After the first time, each part shows its own loading state.
  first.known ||= reads.every(({ isPending }) => !isPending);
  return first.known;
}

/** Reads as many of the newest rows as the cards show. The next steps use the same answers. */
const LATEST = { query: { limit: 5 } };
const ONE = { query: { limit: 1 } };
const WEEK = { query: { range: '7d' } } as const;

interface Step {
  readonly done: boolean;
  readonly to: string;
  readonly title: string;
  readonly why: string;
}

/** Lists what a new environment still lacks. Shows nothing if it lacks nothing. */
function FirstSteps() {
  const { settings } = useSignedIn();
  const mayWrite = useMay('links:write');
  const links = useRead('GET /links', LATEST);
  const types = useRead('GET /resource-types', ONE);
  const webhooks = useRead('GET /webhooks', LATEST);
  // A list that this key may not read counts as done. Keys that may read it show the step.
  const done = ({ data, isError }: { readonly data: { readonly data: readonly unknown[] } | undefined; readonly isError: boolean }) =>
    isError || (data?.data.length ?? 0) > 0;
  const steps: readonly Step[] = [
    { done: done(links), to: '/links/new', title: text('Create a link'), why: text('It works at once.') },
    {
      done: Object.values(settings.default_destinations).some((url) => url !== null),
      to: '/settings',
      title: text('Set the default destinations'),
      why: text('Most links then need only a path in the app.'),
    },
    {
      done: settings.ios_apps.length + settings.android_apps.length > 0,
      to: '/settings',
      title: text('Add your apps'),
      why: text('iPhones and Android phones then open links in them.'),
    },
    {
      done: done(types),
      to: '/resource-types',
      title: text('Create a URL template for your items'),
      why: text('A resource type and a URL template.'),
    },
    {
      done: done(webhooks),
      to: '/webhooks/new',
      title: text('Receive webhooks'),
      why: text('Signed webhooks to a server of yours.'),
    },
  ];
  const open = steps.filter(({ done }) => !done);
  if (open.length === 0 || !mayWrite) return null;
  return (
    <Card
      title={text('Next steps')}
      actions={<span className="muted">{text('{done} of {all} done', { done: steps.length - open.length, all: steps.length })}</span>}
    >
      <ul className="steps">
        {open.map(({ to, title, why }) => (
          <li key={title}>
            <Link href={to} className="step-link">
              <strong>{title}</strong>
              <span className="muted">{why}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function EnvironmentClicks() {
  const [range, setRange] = useClicksRange();
  const stats = useRead('GET /stats', { query: { range } }, { refreshMs: CLICKS_REFRESH_MS });
  return (
    <Clicks stats={stats} range={range} onRange={setRange}>
      {({ top_links: links }) => <TopLinks links={links} />}
    </Clicks>
  );
}

function LatestLinks() {
  const links = useRead('GET /links', LATEST);
  const none = (
    <Empty icon="link" title={text('No links yet')}>
      {text('The links that were created last appear here.')}
    </Empty>
  );
  return (
    <Section title={text('Latest links')} to="/links">
      <Latest read={links} empty={none}>
        {(link) => (
          <li key={link.id}>
            <LinkRow link={link} />
          </li>
        )}
      </Latest>
    </Section>
  );
}

function Endpoints() {
  const webhooks = useRead('GET /webhooks', LATEST, { refreshMs: ENDPOINT_REFRESH_MS });
  const none = (
    <Empty icon="webhook" title={text('No endpoints yet')}>
      {text('The endpoints that receive webhooks appear here, with their state.')}
    </Empty>
  );
  return (
    <Section title={text('Webhooks')} to="/webhooks">
      <Latest read={webhooks} empty={none}>
        {(webhook) => (
          <li key={webhook.id}>
            <Row
              to={`/webhooks/${webhook.id}`}
              title={webhook.url}
              note={
                webhook.failing_since === null
                  ? counted(webhook.events.length, '{count} event type', '{count} event types')
                  : rich('first failed {time}', { time: <Time at={webhook.failing_since} relative /> })
              }
              status={endpointState(webhook)}
            />
          </li>
        )}
      </Latest>
    </Section>
  );
}

interface LatestProps<Row> {
  readonly read: UseQueryResult<{ readonly data: readonly Row[] }, ApiError>;
  readonly empty: ReactNode;
  readonly children: (row: Row) => ReactNode;
}

/** The newest rows of a list. */
function Latest<Row>({ read, empty, children }: LatestProps<Row>) {
  return (
    <Answered read={read} lines={5}>
      {({ data }) => (data.length === 0 ? empty : <ul className="rows framed">{data.map(children)}</ul>)}
    </Answered>
  );
}

function Resources() {
  const stats = useRead('GET /resources/stats', WEEK, { refreshMs: 30_000 });
  const types = stats.data?.types ?? [];
  if (types.length === 0) return null;
  return (
    <Section title={text('Resource types, 7 days')} to="/stats">
      <FigureTable
        label={text('Resource types')}
        head={[text('Type'), text('Clicks by people'), text('Previews'), text('Without an API call'), text('API failed')]}
        rows={types.map(({ resource_type: type, clicks, previews, metadata_api: api }) => [
          <code key="type">{type}</code>,
          count(clicks),
          count(previews.served),
          share(previews.cache_hit_rate),
          share(api.error_rate),
        ])}
      />
    </Section>
  );
}

function Section({ title, to, children }: { readonly title: string; readonly to: string; readonly children: ReactNode }) {
  return (
    <Card
      title={title}
      actions={
        <Link href={to} className="more-link">
          {text('See all')}
        </Link>
      }
    >
      {children}
    </Card>
  );
}
