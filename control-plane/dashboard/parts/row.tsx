import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../language/text.js';
import { CopyButton } from './copy.js';

interface RowProps {
  /** The address that the title links to. */
  readonly to?: string;
  readonly title: string;
  /** A URL with a copy button beside the title. */
  readonly url?: string;
  readonly note: ReactNode;
  /** The state of the object, and whatever else is shown at the end of the row. */
  readonly children: ReactNode;
}

/** A row of a list: a title, a note below it, and a state. */
export function Row({ to, title, url, note, children }: RowProps) {
  return (
    <div className="row side-by-side">
      <div className="row-main">
        <div className="row-title">
          {to === undefined ? (
            title
          ) : (
            <Link href={to} className="one-line" dir="auto">
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
