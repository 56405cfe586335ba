import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../language/text.js';
import { StatusBadge } from './badge.js';
import { CopyButton } from './copy.js';
import { HostAndPath } from './host-and-path.js';

interface RowProps {
  /** The address that the title links to. */
  readonly to?: string;
  /** A URL that begins with its scheme is shown without it. */
  readonly title: string;
  /** A URL with a copy button beside the title. */
  readonly url?: string;
  readonly note: ReactNode;
  readonly status: string;
  /** Whatever else is shown in front of the state. */
  readonly children?: ReactNode;
  /** Buttons behind the state. */
  readonly actions?: ReactNode;
}

/** A row of a list: a title, a note below it, and a state. The states of all rows are in one column. */
export function Row({ to, title, url, note, status, children, actions }: RowProps) {
  const isUrl = /^https?:/.test(title);
  const shown = isUrl ? <HostAndPath url={title} /> : title;
  const className = isUrl ? 'row-url' : 'one-line';
  return (
    <div className="row">
      <div className="row-main">
        <div className="row-title">
          {to === undefined ? (
            <span className="row-whole">{title}</span>
          ) : (
            <Link href={to} className={className} dir={isUrl ? 'ltr' : 'auto'}>
              {shown}
            </Link>
          )}
          {url === undefined ? null : <CopyButton text={url} label={text('Copy {url}', { url })} />}
        </div>
        <div className="quiet one-line">{note}</div>
      </div>
      <div className="row-side side-by-side quiet">{children}</div>
      <div className="row-state side-by-side">
        <StatusBadge status={status} />
        {actions}
      </div>
    </div>
  );
}
