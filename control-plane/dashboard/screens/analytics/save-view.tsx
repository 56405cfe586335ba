import { type FormEvent, useState } from 'react';
import { wholeDay } from '../../format/times.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { useLateFailure } from '../../parts/late-failure.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';
import type { Asked } from './asked.js';
import { useSavedView, viewOf } from './opened-view.js';
import { ViewNameField } from './view-name-field.js';

interface SaveViewProps {
  readonly asked: Asked;
  readonly onSaved: (view: string) => void;
  readonly onClose: () => void;
}

/** Saves what is shown under a name. */
export function SaveView({ asked, onSaved, onClose }: SaveViewProps) {
  const [name, setName] = useState('');
  const take = useSavedView();
  const create = useWrite('POST /views', {
    outdates: ['/views'],
    onDone: (view) => {
      toast(text('The view {name} was saved.', { name: view.name }));
      take(view);
      onClose();
      onSaved(view.id);
    },
    onFailed: useLateFailure(),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ body: { name: name.trim(), ...viewOf(asked) } });
  };
  return (
    <Dialog title={text('Save this view')} onClose={onClose}>
      <form className="stack" onSubmit={save}>
        <ViewNameField
          name={name}
          help={
            asked.range === null
              ? text('The view always shows these days: {from} to {to}.', { from: wholeDay(asked.from), to: wholeDay(asked.to) })
              : text('Its days move with the calendar. Everybody in this environment can open it.')
          }
          error={create.error}
          onChange={setName}
        />
        <div className="form-buttons">
          <Button variant="primary" type="submit" busy={create.isPending} disabled={name.trim() === ''}>
            {text('Save')}
          </Button>
          <Button onClick={onClose}>{text('Cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}
