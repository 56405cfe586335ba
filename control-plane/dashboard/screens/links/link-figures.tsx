import { CLICKS_REFRESH_MS, Clicks, useClicksRange } from '../../charts/clicks.js';
import { useRead } from '../../session/queries.js';

export function LinkFigures({ id }: { readonly id: string }) {
  const [range, setRange] = useClicksRange();
  const stats = useRead('GET /links/{link}/stats', { params: { link: id }, query: { range } }, { refreshMs: CLICKS_REFRESH_MS });
  return <Clicks stats={stats} range={range} onRange={setRange} />;
}
