import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';

interface SecretDialogProps {
  readonly secret: string;
  /** Until when the previous secret is valid too; null if there was none. */
  readonly rotated: boolean;
  readonly onClose: () => void;
}

/** Shows a signing secret, which is done only once. */
export function SecretDialog({ secret, rotated, onClose }: SecretDialogProps) {
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <p>
        Your receiver uses this secret to check the signature of every delivery. <strong>It is shown only once.</strong> Store it now, as
        you would a password.
      </p>
      <CopyField text={secret} label="Copy the secret" />
      {rotated ? <p className="notice notice-info">For 24 hours, deliveries are also signed with the old secret.</p> : null}
      <div className="form-buttons">
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}
