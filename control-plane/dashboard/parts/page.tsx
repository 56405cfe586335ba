import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Icon } from './icon.js';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly back?: { readonly to: string; readonly label: string };
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  /** For tables that use the width of the window. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** Where a title that is a URL breaks into lines, before it breaks within a word. */
const AFTER_SLASHES = /(?<=\/)(?!\/)/;

/** A screen. Its heading takes the focus, so that keyboard and screen reader users begin where the eye does. */
export function Page({ title, lead, back, badge, actions, wide = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title} · Link service`;
  }, [title]);
  return (
    <div className={wide ? 'page page-wide' : 'page'}>
      <header className="page-head">
        <div>
          {back === undefined ? null : (
            <Link href={back.to} className="back quiet">
              <Icon name="back" />
              {back.label}
            </Link>
          )}
          <div className="page-title side-by-side">
            <h1 ref={heading} tabIndex={-1}>
              {title.split(AFTER_SLASHES).map((part, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a title have no other name
                <Fragment key={place}>
                  <wbr />
                  {part}
                </Fragment>
              ))}
            </h1>
            {badge}
          </div>
          {lead === undefined ? null : <div className="page-lead">{lead}</div>}
        </div>
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A note about the figures above it. */
export function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p className="muted">
      <small>{children}</small>
    </p>
  );
}

/** A framed part of a screen. */
export function Card({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card framed">
      {title === undefined ? null : (
        <header className="card-head side-by-side">
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      <div className="card-body">{children}</div>
    </section>
  );
}
