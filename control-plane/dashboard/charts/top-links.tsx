import type { CampaignStats } from '../../../shared/contract/schemas/campaign-stats.js';
import { Breakdown } from './clicks.js';

/** The links with most clicks of people. */
export function TopLinks({ links }: { readonly links: CampaignStats['top_links'] }) {
  return <Breakdown title="Links" bars={links.map(({ path, link, human }) => ({ label: path ?? link, value: human }))} />;
}
