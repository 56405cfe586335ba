import type { ReactNode } from 'react';

/** Elements that scroll if their content is wider than they are. They can take the focus, so that the arrow keys scroll them. */

interface ScrollingProps {
  /** Names the element for users who reach it by keyboard. */
  readonly label: string;
  readonly children: ReactNode;
}

export function CodeBlock({ label, children }: ScrollingProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="code" aria-label={label} tabIndex={0}>
      <pre>{children}</pre>
    </section>
  );
}

export function TableFrame({ label, children }: ScrollingProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-frame" aria-label={label} tabIndex={0}>
      <table aria-label={label}>{children}</table>
    </section>
  );
}
