import type { ReactNode } from 'react';
import { Link } from 'wouter';

type Variant = 'primary' | 'default' | 'danger' | 'quiet' | 'link';

interface ButtonProps {
  readonly children: ReactNode;
  readonly variant?: Variant;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly label?: string;
  readonly title?: string;
  /** The key that does the same on this screen. */
  readonly shortcut?: string;
}

export function Button({
  children,
  variant = 'default',
  type = 'button',
  onClick,
  busy = false,
  disabled = false,
  label,
  title,
  shortcut,
}: ButtonProps) {
  return (
    <button
      type={type}
      className={`button button-${variant}`}
      onClick={onClick}
      disabled={disabled || busy}
      aria-busy={busy}
      aria-label={label}
      title={title}
      aria-keyshortcuts={shortcut}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

/** A link to another screen that looks like a button. */
export function ButtonLink({
  to,
  children,
  variant = 'default',
  shortcut,
}: {
  readonly to: string;
  readonly children: ReactNode;
  readonly variant?: Variant;
  /** The key that does the same on this screen. */
  readonly shortcut?: string;
}) {
  return (
    <Link href={to} className={`button button-${variant}`} aria-keyshortcuts={shortcut}>
      {children}
    </Link>
  );
}
