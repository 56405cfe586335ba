import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../language/text.js';
import { CopyButton } from './copy.js';

interface RowProps {
  /** Where its title leads. */
  readonly to?: string;
  readonly title: string;
  /** A URL that is copied beside the title. */
  readonly url?: string;
  readonly note: ReactNode;
  /** Its state, and what else stands at its end. */
  readonly children: ReactNode;
}

/** A row of a list: what it is called, a note below that, and how it is. */
export function Row({ to, title, url, note, children }: RowProps) {
  return (
    <div className="row side-by-side">
      <div className="row-main">
        <div className="row-title">
          {to === undefined ? (
            title
          ) : (
            <Link href={to} className="one-line">
              {title}
            </Link>
          )}
          {url === undefined ? null : <CopyButton text={url} label={text('Copy {url}', { url })} />}
        </div>
        <div className="quiet one-line">{note}</div>
      </div>
      <div className="row-side side-by-side quiet">{children}</div>
    </div>
  );
}
