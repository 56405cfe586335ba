import type { Link } from '../../../../shared/contract/schemas/link.js';
import type { ListedLink } from '../../../../shared/contract/schemas/link-list.js';
import { Time } from '../../format/time.js';
import { text } from '../../language/text.js';
import { Row } from '../../parts/row.js';
import { Tags } from './tags.js';

interface LinkRowProps {
  readonly link: ListedLink;
  /** Whether all links of the list are in one campaign, which the screen is about. */
  readonly inCampaign?: boolean;
}

/** A link in a short list, such as the links of a campaign. */
export function LinkRow({ link, inCampaign = false }: LinkRowProps) {
  const note = (
    <>
      {link.title === null ? null : (
        <strong className="row-name">
          <bdi>{link.title}</bdi>
        </strong>
      )}
      {leadsTo(link)}
    </>
  );
  return (
    <Row to={`/links/${link.id}`} title={link.url} url={link.url} note={note} status={link.status}>
      <Tags names={link.tags} />
      {link.campaign === null || inCampaign ? null : <span>{link.campaign}</span>}
      <Time at={link.created_at} relative />
    </Row>
  );
}

/** The destination that describes the link best, because most visitors get it. */
export function leadsTo({ destinations, deep_link_path }: Pick<Link, 'destinations' | 'deep_link_path'>): string {
  const { web, desktop, fallback, ios, android } = destinations;
  return web ?? desktop ?? fallback ?? ios ?? android ?? text("{path} by the environment's defaults", { path: deep_link_path });
}
