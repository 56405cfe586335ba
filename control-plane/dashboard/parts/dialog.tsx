import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { text } from '../language/text.js';
import { Button, IconButton } from './button.js';
import { useLateFailure } from './late-failure.js';
import { useOpenModal } from './open-modals.js';
import { Refusal } from './refusal.js';
import { Toasts } from './toasts.js';

interface ModalProps {
  /** Id of the element that names the dialog. */
  readonly labelledBy: string;
  /** Id of the element that is read aloud after the name. */
  readonly describedBy?: string | undefined;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The browser's own modal dialog. It begins in the first field of its form, if it has one. The focus stays inside, Escape closes it, and the
 * focus then returns to its old place.
 */
export function Modal({ labelledBy, describedBy, className, onClose, children }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null);
  const name = useOpenModal();
  // A layout effect, because what is typed before the next frame would be lost with a plain effect.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea):not(:disabled)')?.focus();
    return () => {
      // Close first, because nothing behind an open dialog can take the focus.
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={className}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
      <Toasts within={name} />
    </dialog>
  );
}

interface DialogProps {
  readonly title: string;
  readonly describedBy?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

export function Dialog({ title, describedBy, onClose, children, wide = false }: DialogProps) {
  const titleId = useId();
  return (
    <Modal labelledBy={titleId} describedBy={describedBy} className={wide ? 'dialog dialog-wide' : 'dialog'} onClose={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon="close" label={text('Close')} onClick={onClose} />
      </header>
      <div className="stack dialog-body">{children}</div>
    </Modal>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly confirm: string;
  /** Does it. If it fails, the dialog stays and says why; if the user has closed the dialog meanwhile, a message does. */
  readonly onConfirm: () => unknown;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for confirmation before something that cannot be undone. */
export function Confirm({ title, confirm, onConfirm, onClose, children }: ConfirmProps) {
  const textId = useId();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const onLateFailure = useLateFailure();
  const run = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
    } catch (error) {
      setFailure((error as Error).message);
      onLateFailure(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} describedBy={textId} onClose={onClose}>
      <div id={textId}>{children}</div>
      <Refusal reason={failure} />
      <div className="form-buttons">
        <Button variant="danger" busy={busy} onClick={() => void run()}>
          {confirm}
        </Button>
        <Button onClick={onClose}>{text('Cancel')}</Button>
      </div>
    </Dialog>
  );
}
