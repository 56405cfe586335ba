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
}: {
  readonly to: string;
  readonly children: ReactNode;
  readonly variant?: Variant;
}) {
  return (
    <Link href={to} className={`button button-${variant}`}>
      {children}
    </Link>
  );
}
