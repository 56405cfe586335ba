import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Scope } from '../../../shared/contract/schemas/scopes.js';
import { useMay } from '../session/signed-in.js';
import { Icon, type IconName } from './icon.js';

type Variant = 'primary' | 'default' | 'danger' | 'link';

interface Needs {
  /** The scope that the action requires. The button is hidden if the key lacks it. */
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
  /** The key that does the same on this screen. */
  readonly shortcut?: string;
}

/** The browser would otherwise send the form of a button that is off, also for Enter in one of its fields. */
function refuse(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * A button that is busy or can do nothing stays in the Tab order, because the browser takes the focus from an element that becomes
 * `disabled`: keyboard and screen reader users would be at the beginning of the page after every save.
 */
export function Button({
  children,
  variant = 'default',
  type = 'button',
  onClick,
  busy = false,
  disabled = false,
  label,
  shortcut,
  needs,
}: ButtonProps) {
  if (!useMay(needs)) return null;
  const isOff = disabled || busy;
  return (
    <button
      type={type}
      className={`button button-${variant}`}
      onClick={isOff ? refuse : onClick}
      aria-disabled={isOff ? true : undefined}
      aria-busy={busy}
      aria-label={label}
      aria-keyshortcuts={shortcut}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

interface SaveButtonProps extends Omit<ButtonProps, 'children'> {
  readonly format: 'CSV' | 'PNG';
}

/** Saves what is shown as a file. `label` says what is saved, and the button shows only the format. */
export function SaveButton({ format, ...button }: SaveButtonProps) {
  return (
    <Button {...button}>
      <Icon name="download" /> {format}
    </Button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, title, onClick }: IconButtonProps) {
  return (
    <button type="button" className="icon-button" onClick={onClick} aria-label={label} title={title}>
      <Icon name={icon} />
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
