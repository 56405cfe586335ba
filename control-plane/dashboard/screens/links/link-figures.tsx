import type { LinkStats } from '../../../../shared/contract/schemas/link-stats.js';
import { CLICKS_REFRESH_MS, Clicks } from '../../charts/clicks.js';
import { useClicksRange } from '../../charts/clicks-asked.js';
import { exactCount } from '../../format/numbers.js';
import { counted, text } from '../../language/text.js';
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

/** Names of services, as the services write them. */
const SERVICES: Readonly<Record<string, string>> = {
  bitly: 'Bitly',
  rebrandly: 'Rebrandly',
  dub: 'Dub',
  shlink: 'Shlink',
  kutt: 'Kutt',
};

function ClicksBefore({ imported }: { readonly imported: LinkStats['imported'] }) {
  const [first, ...others] = imported.by_source;
  const nameOf = (source: string) => (source === 'csv' ? text('an imported file') : (SERVICES[source] ?? source));
  return (
    <p className="muted">
      {others.length === 0 && first !== undefined
        ? fromOne(imported.clicks, first.source)
        : `${counted(imported.clicks, '{count} click before the import', '{count} clicks before the import')}: ${imported.by_source
            .map(({ source, clicks }) => `${nameOf(source)} ${exactCount(clicks)}`)
            .join(', ')}.`}
    </p>
  );
}

function fromOne(clicks: number, source: string): string {
  if (source === 'csv')
    return counted(
      clicks,
      '{count} click before the import, from an imported file.',
      '{count} clicks before the import, from an imported file.',
    );
  return counted(clicks, '{count} click before the import, at {service}.', '{count} clicks before the import, at {service}.', {
    service: SERVICES[source] ?? source,
  });
}
