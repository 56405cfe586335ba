import type { CampaignStats } from '../../../shared/contract/schemas/campaign-stats.js';
import { text } from '../language/text.js';
import { Breakdown } from './clicks.js';

/** The links with the most clicks by people in the range. */
export function TopLinks({ links }: { readonly links: CampaignStats['top_links'] }) {
  return <Breakdown title={text('Links')} rows={links} labelOf={({ path, link }) => path ?? link} />;
}
