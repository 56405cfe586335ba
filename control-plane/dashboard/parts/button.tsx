import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Scope } from '../../../shared/contract/schemas/scopes.js';
import { useMay } from '../session/signed-in.js';

type Variant = 'primary' | 'default' | 'danger' | 'quiet' | 'link';

interface Needs {
  /** The scope that it takes. A key without it is not offered the button. */
  readonly needs?: Scope;
}

interface ButtonProps extends Needs {
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
  needs,
}: ButtonProps) {
  if (!useMay(needs)) return null;
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
  needs,
}: Needs & {
  readonly to: string;
  readonly children: ReactNode;
  readonly variant?: Variant;
  /** The key that does the same on this screen. */
  readonly shortcut?: string;
}) {
  if (!useMay(needs)) return null;
  return (
    <Link href={to} className={`button button-${variant}`} aria-keyshortcuts={shortcut}>
      {children}
    </Link>
  );
}
