import type { LinkStats } from '../../../../shared/contract/schemas/link-stats.js';
import { CLICKS_REFRESH_MS, Clicks, useClicksRange } from '../../charts/clicks.js';
import { exactCount } from '../../format/numbers.js';
import { message, text } from '../../language/text.js';
import { useRead } from '../../session/queries.js';

export function LinkFigures({ id }: { readonly id: string }) {
  const [range, setRange] = useClicksRange();
  const stats = useRead('GET /links/{link}/stats', { params: { link: id }, query: { range } }, { refreshMs: CLICKS_REFRESH_MS });
  return (
    <>
      <Clicks stats={stats} range={range} onRange={setRange} />
      {stats.data === undefined || stats.data.imported.clicks === 0 ? null : <ClicksBefore imported={stats.data.imported} />}
    </>
  );
}

/** Names of services as they write them. */
const SERVICES: Readonly<Record<string, string>> = {
  bitly: 'Bitly',
  rebrandly: 'Rebrandly',
  dub: 'Dub',
  shlink: 'Shlink',
  kutt: 'Kutt',
  csv: message('an imported file'),
};

function ClicksBefore({ imported }: { readonly imported: LinkStats['imported'] }) {
  const [first, ...others] = imported.by_source;
  const nameOf = (source: string) => SERVICES[source] ?? source;
  return (
    <p className="muted">
      {text('{clicks} {value} before it moved here', {
        clicks: exactCount(imported.clicks),
        value: imported.clicks === 1 ? 'click' : 'clicks',
      })}
      {others.length === 0 && first !== undefined
        ? `, ${first.source === 'csv' ? 'from' : 'at'} ${nameOf(first.source)}.`
        : `: ${imported.by_source.map(({ source, clicks }) => `${nameOf(source)} ${exactCount(clicks)}`).join(', ')}.`}
    </p>
  );
}
