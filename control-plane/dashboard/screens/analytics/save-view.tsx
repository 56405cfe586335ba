import { type FormEvent, useId, useState } from 'react';
import { FieldNotes } from '../../forms/fields.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';
import type { Asked } from './asked.js';
import { VIEW_NAME_CHARACTERS_MAX, viewOf } from './opened-view.js';

interface SaveViewProps {
  readonly asked: Asked;
  readonly onSaved: (view: string) => void;
  readonly onClose: () => void;
}

/** Saves what is seen under a name. */
export function SaveView({ asked, onSaved, onClose }: SaveViewProps) {
  const [name, setName] = useState('');
  const id = useId();
  const create = useWrite('POST /views', {
    outdates: ['/views'],
    onDone: (view) => {
      toast(`The view ${view.name} is saved.`);
      onClose();
      onSaved(view.id);
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ body: { name: name.trim(), ...viewOf(asked) } });
  };
  const { error } = create;
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form className="stack" onSubmit={save}>
        <div className="field">
          <label htmlFor={id}>Name</label>
          <input
            id={id}
            required
            maxLength={VIEW_NAME_CHARACTERS_MAX}
            value={name}
            aria-invalid={error !== null}
            aria-describedby={`${id}-help ${id}-error`}
            onChange={({ target }) => setName(target.value)}
          />
          <FieldNotes
            id={id}
            help={
              asked.range === null
                ? `It keeps these days, ${asked.from} to ${asked.to}.`
                : 'Its days move with the calendar. Everybody in this environment can open it.'
            }
            error={error === null ? undefined : (error.fields[0]?.detail ?? error.message)}
          />
        </div>
        <div className="form-buttons">
          <Button variant="primary" type="submit" busy={create.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
