import { useId, useLayoutEffect, useRef } from 'react';
import { rich } from '../../language/rich.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';

interface SecretDialogProps {
  readonly secret: string;
  /** Whether the secret replaces another one, which stays valid for a while. */
  readonly rotated: boolean;
  readonly onClose: () => void;
}

/** Shows a signing secret. This happens only once. */
export function SecretDialog({ secret, rotated, onClose }: SecretDialogProps) {
  const textId = useId();
  const shown = useRef<HTMLDivElement>(null);
  // An Enter too many copies the secret. The first button of a dialog closes it, and the secret would be gone.
  useLayoutEffect(() => shown.current?.querySelector('button')?.focus(), []);
  return (
    <Dialog title={text('Signing secret')} describedBy={textId} onClose={onClose}>
      <p id={textId}>
        {rich(
          'Your receiver uses this secret to check the signature of every delivery. <b>It is shown only once.</b> Store it now, as you would a password.',
          { b: (inner) => <strong>{inner}</strong> },
        )}
      </p>
      <div ref={shown}>
        <CopyField text={secret} label={text('Copy the secret')} />
      </div>
      {rotated ? <p className="notice notice-info">{text('For 24 hours, deliveries are also signed with the old secret.')}</p> : null}
      <div className="form-buttons">
        <Button variant="primary" onClick={onClose}>
          {text('I have stored it')}
        </Button>
      </div>
    </Dialog>
  );
}
