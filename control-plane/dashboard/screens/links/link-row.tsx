import type { Link } from '../../../../shared/contract/schemas/link.js';
import type { ListedLink } from '../../../../shared/contract/schemas/link-list.js';
import { Time } from '../../format/time.js';
import { withoutScheme } from '../../format/urls.js';
import { text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Row } from '../../parts/row.js';
import { Tags } from './tags.js';

/** A link in a short list, such as the links of a campaign. */
export function LinkRow({ link }: { readonly link: ListedLink }) {
  const note = (
    <>
      {link.title === null ? null : <strong className="row-name">{link.title}</strong>}
      {leadsTo(link)}
    </>
  );
  return (
    <Row to={`/links/${link.id}`} title={withoutScheme(link.url)} url={link.url} note={note}>
      <Tags names={link.tags} />
      {link.campaign === null ? null : <span>{link.campaign}</span>}
      <StatusBadge status={link.status} />
      <Time at={link.created_at} relative />
    </Row>
  );
}

/** The destination that describes the link best, because most visitors get it. */
export function leadsTo({ destinations, deep_link_path }: Pick<Link, 'destinations' | 'deep_link_path'>): string {
  const { web, desktop, fallback, ios, android } = destinations;
  return web ?? desktop ?? fallback ?? ios ?? android ?? text("{path} by the environment's defaults", { path: deep_link_path });
}
