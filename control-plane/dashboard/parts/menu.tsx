import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './icon.js';

export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
  readonly danger?: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** For a menu at the lower edge, which opens upwards from a button with its label. */
  readonly up?: boolean;
}

/** The actions on an object that are needed less often than the one beside them. */
export function Menu({ label, items, up = false }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="menu">
      <button
        ref={button}
        type="button"
        className={up ? 'button' : 'icon-button'}
        aria-label={label}
        title={up ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {up ? label : <Icon name="more" />}
      </button>
      {open ? (
        <MenuList id={id} label={label} up={up} onClose={close} onLeave={() => setOpen(false)}>
          {items.map(({ label, onChoose, danger = false }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={danger ? 'menu-item menu-item-danger' : 'menu-item'}
              onClick={() => {
                // The focus returns to the button first, so that a dialog that opens now gives it back to it.
                close();
                onChoose();
              }}
            >
              {label}
            </button>
          ))}
        </MenuList>
      ) : null}
    </div>
  );
}

interface MenuListProps {
  readonly id: string;
  readonly label: string;
  readonly up: boolean;
  readonly onClose: () => void;
  /** Called when the user turns to something else, which then has the focus. */
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

/** The open menu. It has the focus, and the arrow keys lead from item to item. */
function MenuList({ id, label, up, onClose, onLeave, children }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  const leave = useRef(onLeave);
  leave.current = onLeave;
  // A layout effect, because a key that is pressed before the next frame would be lost with a plain effect.
  useLayoutEffect(() => {
    itemsIn(list.current)[0]?.focus();
    const away = ({ target }: Event) => {
      if (!list.current?.parentElement?.contains(target as Node)) leave.current();
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, []);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return onLeave();
    const next = event.key === 'Escape' ? null : besideIn(itemsIn(list.current), event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === null) onClose();
    else next.focus();
  };
  return (
    <div ref={list} id={id} role="menu" aria-label={label} className={up ? 'menu-list menu-list-up' : 'menu-list'} onKeyDown={press}>
      {children}
    </div>
  );
}

function itemsIn(list: HTMLElement | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

/** The item that the key leads to from the focused one; undefined if it leads to none. */
function besideIn(items: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const place = items.indexOf(document.activeElement as HTMLElement);
  if (key === 'ArrowDown') return items[(place + 1) % items.length];
  if (key === 'ArrowUp') return items.at(place - 1);
  if (key === 'Home') return items[0];
  return key === 'End' ? items.at(-1) : undefined;
}
