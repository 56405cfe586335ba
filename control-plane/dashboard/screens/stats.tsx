import type { ResourceStats, ResourceTypeStats } from '../../../shared/contract/schemas/resources.js';
import { Bars } from '../charts/bars.js';
import { useClicksRange } from '../charts/clicks.js';
import { Meter } from '../charts/meter.js';
import { count, exactCount, share } from '../format/numbers.js';
import { dateAndTime } from '../format/times.js';
import { ButtonLink } from '../parts/button.js';
import { Card, Page } from '../parts/page.js';
import { RANGES, Segments } from '../parts/segments.js';
import { Empty, Failure, Loading } from '../parts/states.js';
import { useRead } from '../session/queries.js';
import { useSignedIn } from '../session/signed-in.js';
import { analyticsOf } from './analytics/asked.js';

/** Clicks, previews and the health of metadata APIs, type by type. */
export function Stats() {
  const [range, setRange] = useClicksRange();
  const stats = useRead('GET /resources/stats', { query: { range } }, { refreshMs: 30_000 });
  return (
    <Page
      title="Statistics"
      lead="Visits to the items of your resource types, answers to requests for their cards, and calls of your APIs."
      needs="analytics:read"
      actions={<Segments label="Range" value={range} choices={RANGES} onChange={setRange} />}
    >
      {stats.isPending ? (
        <Loading lines={10} />
      ) : stats.data === undefined ? (
        <Failure error={stats.error} onRetry={() => void stats.refetch()} />
      ) : (
        <Types stats={stats.data} />
      )}
    </Page>
  );
}

function Types({ stats }: { readonly stats: ResourceStats }) {
  if (stats.types.length === 0)
    return (
      <Empty icon="stats" title="Nothing to count yet" action={<ButtonLink to="/resource-types">Open resource types</ButtonLink>}>
        Figures appear here as soon as a resource type has a URL template.
      </Empty>
    );
  return (
    <div className="stack">
      {stats.types.map((type) => (
        <Card key={type.resource_type} title={type.resource_type} actions={<span className="muted">{exactCount(type.clicks)} clicks</span>}>
          <TypeFigures type={type} />
        </Card>
      ))}
      <p className="muted">
        <small>
          Days of {stats.timezone}, {stats.from} to {stats.to}. Clicks of people up to {dateAndTime(stats.as_of, stats.timezone)}; figures
          of APIs come in every few seconds.
        </small>
      </p>
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
        <Figure label="Clicks" value={count(type.clicks)} />
        <Figure label="Previews" value={count(previews.served)} />
        <Figure label="Without an API call" value={share(previews.cache_hit_rate)} />
        <Figure label="Calls" value={count(api.calls)} />
        <Figure label="Failed" value={share(api.error_rate)} />
        <Figure label="95 % of calls" value={api.p95_bucket === null ? '–' : LATENCIES[api.p95_bucket]} />
      </dl>
      <div className="columns">
        <div>
          <h3>Top items</h3>
          <TopItems type={type} />
        </div>
        <div>
          <h3>How previews were answered</h3>
          <Meter
            label={`Previews of ${type.resource_type}`}
            parts={[
              { label: 'From memory', value: previews.from_memory, colour: 1 },
              { label: 'From the shared cache', value: previews.from_database, colour: 2 },
              { label: 'Stale, while the API was called', value: previews.stale, colour: 3 },
              { label: 'Known to be missing', value: previews.from_negative_cache, colour: 4 },
              { label: 'From the API', value: Math.max(0, previews.served - remembered), colour: 6 },
              { label: 'Generic', value: previews.fallback, colour: 5 },
              { label: 'Redirected to the web page', value: previews.redirected, colour: 7 },
            ]}
            empty="No previews yet"
          />
        </div>
        <div>
          <h3>Calls of the API</h3>
          <Meter
            label={`Calls for ${type.resource_type}`}
            parts={[
              { label: 'Items', value: api.ok, colour: 2 },
              { label: 'No such item', value: api.missing, colour: 1 },
              { label: 'Unusable', value: api.invalid, colour: 3 },
              { label: 'Errors', value: api.errors, colour: 4 },
              { label: 'Timed out', value: api.timeouts, colour: 5 },
            ]}
            empty="No calls yet"
          />
          {api.breaker_open + api.throttled === 0 ? null : (
            <p className="muted">
              <small>
                Not called: {exactCount(api.breaker_open)} while the breaker was open, {exactCount(api.throttled)} by your limits.
              </small>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

/** Each leads to its clicks. */
function TopItems({ type: { resource_type, top_items } }: { readonly type: ResourceTypeStats }) {
  const { timeZone } = useSignedIn();
  const to = (item: string) => analyticsOf({ resource_type, item }, timeZone);
  return <Bars bars={top_items.map(({ id, clicks }) => ({ label: id, value: clicks, to: to(id) }))} empty="No clicks yet" />;
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
