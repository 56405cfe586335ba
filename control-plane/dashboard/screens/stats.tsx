import type { ResourceStats, ResourceTypeStats } from '../../../shared/contract/schemas/resources.js';
import { Bars } from '../charts/bars.js';
import { RANGES, useClicksRange } from '../charts/clicks-asked.js';
import { Meter } from '../charts/meter.js';
import { count, exactCount, share } from '../format/numbers.js';
import { dateAndTime, wholeDay } from '../format/times.js';
import { labelled, text } from '../language/text.js';
import { ButtonLink } from '../parts/button.js';
import { Figure } from '../parts/figure.js';
import { Card, Note, Page } from '../parts/page.js';
import { Segments } from '../parts/segments.js';
import { Answered, Empty } from '../parts/states.js';
import { useRead } from '../session/queries.js';
import { useSignedIn } from '../session/signed-in.js';
import { analyticsOf } from './analytics/asked.js';

/** Clicks, previews and the health of metadata APIs, type by type. */
export function Stats() {
  const [range, setRange] = useClicksRange();
  const stats = useRead('GET /resources/stats', { query: { range } }, { refreshMs: 30_000 });
  return (
    <Page
      title={text('Statistics')}
      lead={text('Visits to the items of your resource types, requests for their preview cards, and calls of your APIs.')}
      actions={<Segments label={text('Range')} value={range} choices={labelled(RANGES)} onChange={setRange} />}
    >
      <Answered read={stats} lines={10}>
        {(found) => <Types stats={found} />}
      </Answered>
    </Page>
  );
}

function Types({ stats }: { readonly stats: ResourceStats }) {
  if (stats.types.length === 0)
    return (
      <Empty
        icon="shares"
        title={text('No figures yet')}
        action={<ButtonLink to="/resource-types">{text('Open resource types')}</ButtonLink>}
      >
        {text('Figures appear here as soon as a resource type has a URL template.')}
      </Empty>
    );
  return (
    <div className="stack">
      {stats.types.map((type) => (
        <Card key={type.resource_type} title={type.resource_type}>
          <TypeFigures type={type} />
        </Card>
      ))}
      <Note>
        {text('Days in {timezone}, {from} to {to}. Clicks by people up to {asOf}. Figures of APIs are updated every few seconds.', {
          timezone: stats.timezone,
          from: wholeDay(stats.from),
          to: wholeDay(stats.to),
          asOf: dateAndTime(stats.as_of, stats.timezone),
        })}
      </Note>
    </div>
  );
}

const LATENCIES = { lt_100: '< 100 ms', lt_300: '< 300 ms', lt_1000: '< 1 s', ge_1000: '≥ 1 s' } as const;

function TypeFigures({ type }: { readonly type: ResourceTypeStats }) {
  const { previews, metadata_api: api } = type;
  const remembered =
    previews.from_memory + previews.from_database + previews.stale + previews.from_negative_cache + previews.fallback + previews.redirected;
  return (
    <div className="stack">
      <dl className="figures">
        <Figure label={text('Clicks by people')} value={count(type.clicks)} />
        <Figure label={text('Previews')} value={count(previews.served)} />
        <Figure label={text('Without an API call')} value={share(previews.cache_hit_rate)} />
        <Figure label={text('Calls')} value={count(api.calls)} />
        <Figure label={text('Failed')} value={share(api.error_rate)} />
        <Figure label={text('95% of calls')} value={api.p95_bucket === null ? '–' : LATENCIES[api.p95_bucket]} />
      </dl>
      <div className="columns">
        <div>
          <h3>{text('Top items')}</h3>
          <TopItems type={type} />
        </div>
        <div>
          <h3>{text('Where previews came from')}</h3>
          <Meter
            label={text('Previews of {resourceType}', { resourceType: type.resource_type })}
            parts={[
              { label: text('From memory'), value: previews.from_memory, colour: 1 },
              { label: text('From the shared cache'), value: previews.from_database, colour: 2 },
              { label: text('Stale, while the API was called'), value: previews.stale, colour: 3 },
              { label: text('Known to be missing'), value: previews.from_negative_cache, colour: 4 },
              { label: text('From the API'), value: Math.max(0, previews.served - remembered), colour: 5 },
              { label: text('Generic'), value: previews.fallback, colour: 7 },
              { label: text('Redirected to the web page'), value: previews.redirected, colour: 6 },
            ]}
            empty={text('No previews on these days')}
          />
        </div>
        <ApiCalls resourceType={type.resource_type} api={api} />
      </div>
    </div>
  );
}

function ApiCalls({ resourceType, api }: { readonly resourceType: string; readonly api: ResourceTypeStats['metadata_api'] }) {
  return (
    <div>
      <h3>{text('Calls of the API')}</h3>
      <Meter
        label={text('Calls for {resourceType}', { resourceType })}
        parts={[
          { label: text('Items'), value: api.ok, colour: 2 },
          { label: text('No such item'), value: api.missing, colour: 1 },
          { label: text('Unusable'), value: api.invalid, colour: 3 },
          { label: text('Errors'), value: api.errors, colour: 4 },
          { label: text('Timed out'), value: api.timeouts, colour: 7 },
        ]}
        empty={text('No calls on these days')}
      />
      {api.breaker_open + api.throttled === 0 ? null : (
        <Note>
          {text('Not called: {breakerOpen} because of the circuit breaker, {throttled} because of your limits.', {
            breakerOpen: exactCount(api.breaker_open),
            throttled: exactCount(api.throttled),
          })}
        </Note>
      )}
    </div>
  );
}

/** Each item links to its clicks. */
function TopItems({ type: { resource_type, top_items } }: { readonly type: ResourceTypeStats }) {
  const { timeZone } = useSignedIn();
  const to = (item: string) => analyticsOf({ resource_type, item }, timeZone);
  return (
    <Bars bars={top_items.map(({ id, clicks }) => ({ label: id, value: clicks, to: to(id) }))} empty={text('No clicks on these days')} />
  );
}
