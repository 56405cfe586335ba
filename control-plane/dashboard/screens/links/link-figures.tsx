import type { LinkStats } from '../../../../shared/contract/schemas/link-stats.js';
import { useRead } from '../../api/queries.js';
import { Bars } from '../../charts/bars.js';
import { TimeSeries } from '../../charts/time-series.js';
import { countryName } from '../../format/countries.js';
import { exactCount } from '../../format/numbers.js';
import { Card } from '../../parts/page.js';
import { RANGES, Segments } from '../../parts/segments.js';
import { Failure, Loading } from '../../parts/states.js';
import { useStickyState } from '../../shell/sticky-state.js';

/** Clicks of a link: by day, platform, country and referrer. */
export function LinkFigures({ id }: { readonly id: string }) {
  const [range, setRange] = useStickyState<LinkStats['range']>('range', '7d');
  const stats = useRead('GET /links/{link}/stats', { params: { link: id }, query: { range } }, { refreshMs: 15_000 });
  return (
    <Card title="Clicks" actions={<Segments label="Range" value={range} choices={RANGES} onChange={setRange} />}>
      {stats.data === undefined ? (
        stats.isPending ? (
          <Loading lines={8} />
        ) : (
          <Failure error={stats.error} onRetry={() => void stats.refetch()} />
        )
      ) : (
        <Clicks stats={stats.data} />
      )}
    </Card>
  );
}

function Clicks({ stats }: { readonly stats: LinkStats }) {
  return (
    <div className="stack">
      <Totals totals={stats.totals} />
      <TimeSeries
        label={`Clicks by day, ${stats.from} to ${stats.to}`}
        days={stats.series.map(({ date }) => date)}
        series={[
          { label: 'All', values: stats.series.map(({ all }) => all), colour: 1 },
          { label: 'Human', values: stats.series.map(({ human }) => human), colour: 2 },
          { label: 'Unique', values: stats.series.map(({ unique }) => unique), colour: 3 },
        ]}
      />
      <div className="columns">
        <div>
          <h3>Platforms</h3>
          <Bars bars={stats.platforms.map(({ platform, all }) => ({ label: platform, value: all }))} empty="No clicks yet" />
        </div>
        <div>
          <h3>Countries</h3>
          <Bars bars={stats.countries.map(({ country, all }) => ({ label: countryName(country), value: all }))} empty="No clicks yet" />
        </div>
        <div>
          <h3>Referrers</h3>
          <Bars
            bars={stats.referrers.map(({ referrer_host, all }) => ({ label: referrer_host ?? 'Direct or unknown', value: all }))}
            empty="No clicks yet"
          />
        </div>
      </div>
      <p className="muted">
        <small>Days of {stats.timezone}. A click shows within a second.</small>
      </p>
    </div>
  );
}

export function Totals({ totals }: { readonly totals: LinkStats['totals'] }) {
  return (
    <dl className="figures">
      <div className="figure">
        <dt>
          <i className="key key-1" /> All clicks
        </dt>
        <dd>{exactCount(totals.all)}</dd>
      </div>
      <div className="figure">
        <dt>
          <i className="key key-2" /> By people
        </dt>
        <dd>{exactCount(totals.human)}</dd>
      </div>
      <div className="figure">
        <dt>
          <i className="key key-3" /> Unique visitors
        </dt>
        <dd>{exactCount(totals.unique)}</dd>
      </div>
    </dl>
  );
}
