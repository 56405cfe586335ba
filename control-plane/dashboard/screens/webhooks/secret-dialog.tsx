import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';

interface SecretDialogProps {
  readonly secret: string;
  /** Until when the secret before it works too; null if there was none. */
  readonly rotated: boolean;
  readonly onClose: () => void;
}

/** The one time that a signing secret is shown. */
export function SecretDialog({ secret, rotated, onClose }: SecretDialogProps) {
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <p>
        Your receiver checks the signature of every delivery with it. <strong>It is shown this once</strong>: store it now, as you would a
        password.
      </p>
      <CopyField text={secret} label="Copy the secret" />
      {rotated ? <p className="notice notice-info">For 24 hours deliveries are signed with the old secret too.</p> : null}
      <div className="form-buttons">
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}
