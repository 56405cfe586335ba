import { type FormEvent, useState } from 'react';
import type { View } from '../../../../shared/contract/schemas/view.js';
import { tagOf } from '../../api/client.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Confirm, Dialog } from '../../parts/dialog.js';
import { useLateFailure } from '../../parts/late-failure.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';
import { ViewNameField } from './view-name-field.js';

interface EditViewProps {
  readonly view: View;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Renames a view, or deletes it. */
export function EditView({ view, onDeleted, onClose }: EditViewProps) {
  const [name, setName] = useState(view.name);
  const [deleting, setDeleting] = useState(false);
  const change = { params: { view: view.id }, ifMatch: tagOf(view) };
  const rename = useWrite('PATCH /views/{view}', {
    outdates: ['/views'],
    onDone: (saved) => {
      toast(text('The view is now called {name}.', { name: saved.name }));
      onClose();
    },
    onFailed: useLateFailure(),
  });
  const remove = useWrite('DELETE /views/{view}', {
    outdates: ['/views'],
    onDone: () => {
      toast(text('The view {name} was deleted.', { name: view.name }));
      onClose();
      onDeleted();
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ ...change, body: { name: name.trim() } });
  };
  if (deleting)
    return (
      <Confirm
        title={text('Delete the view {name}?', { name: view.name })}
        confirm={text('Delete')}
        onConfirm={() => remove.mutateAsync(change)}
        onClose={() => setDeleting(false)}
      >
        <p>{text('If it has a public link, that link stops working. The clicks are kept.')}</p>
      </Confirm>
    );
  return (
    <Dialog title={text('Saved view')} onClose={onClose}>
      <form className="stack" onSubmit={save}>
        <ViewNameField name={name} error={rename.error} onChange={setName} />
        <div className="form-buttons">
          <Button variant="primary" type="submit" busy={rename.isPending} disabled={name.trim() === '' || name.trim() === view.name}>
            {text('Rename')}
          </Button>
          <Button variant="danger" onClick={() => setDeleting(true)}>
            {text('Delete view')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
