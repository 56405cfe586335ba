import { Link as To } from 'wouter';
import type { Link, ListedLink } from '../../../../shared/contract/schemas/link.js';
import { count } from '../../format/numbers.js';
import { Time } from '../../format/time.js';
import { StatusBadge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/copy.js';
import { Tags } from './tags.js';

interface LinkRowProps {
  readonly link: ListedLink;
  /** For lists whose rows can be chosen. */
  readonly choice?: { readonly chosen: boolean; readonly toggle: () => void };
}

export function LinkRow({ link, choice }: LinkRowProps) {
  const shown = link.url.replace(/^https?:\/\//, '');
  return (
    <div className="row">
      {choice === undefined ? null : (
        <input type="checkbox" className="row-choice" aria-label={`Choose ${shown}`} checked={choice.chosen} onChange={choice.toggle} />
      )}
      <div className="row-main">
        <div className="row-title">
          <To href={`/links/${link.id}`}>{shown}</To>
          <CopyButton text={link.url} label={`Copy ${link.url}`} />
        </div>
        <div className="row-note">
          {link.title === null ? null : <strong className="row-name">{link.title}</strong>}
          {leadsTo(link)}
        </div>
      </div>
      <div className="row-side">
        <Tags names={link.tags} />
        {link.campaign === null ? null : <span>{link.campaign}</span>}
        {link.clicks === undefined ? null : <Clicks clicks={link.clicks} />}
        <StatusBadge status={link.status} />
        <Time at={link.created_at} relative />
      </div>
    </div>
  );
}

function Clicks({ clicks }: { readonly clicks: number }) {
  return (
    <span title="Clicks of people in the last 30 days">
      {count(clicks)} {clicks === 1 ? 'click' : 'clicks'}
    </span>
  );
}

function leadsTo({ destinations, deep_link_path }: Link): string {
  const { web, desktop, fallback, ios, android } = destinations;
  return web ?? desktop ?? fallback ?? ios ?? android ?? `${deep_link_path} by the environment's defaults`;
}
