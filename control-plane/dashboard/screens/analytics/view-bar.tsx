import { Suspense, useState } from 'react';
import { tagOf } from '../../api/client.js';
import { message, text, textOf } from '../../language/text.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { late } from '../../parts/late.js';
import { toast } from '../../parts/toasts.js';
import { useAllRows, useWrite } from '../../session/queries.js';
import { useMay } from '../../session/signed-in.js';
import type { Asked } from './asked.js';
import { type OpenedView, useSavedView, viewOf } from './opened-view.js';

const SaveView = late('SaveView', () => import('./save-view.js'));
const EditView = late('EditView', () => import('./edit-view.js'));
const ShareView = late('ShareView', () => import('./share-view.js'));

interface ViewBarProps {
  readonly asked: Asked;
  readonly view: OpenedView | null;
  readonly onOpen: (view: string | null) => void;
}

/** Shows which saved view is open, whether it was changed, and what can be done with it. */
export function ViewBar({ asked, view, onOpen }: ViewBarProps) {
  const [dialog, setDialog] = useState<'save' | 'edit' | 'share' | null>(null);
  const views = useAllRows('GET /views', {});
  const mayWrite = useMay('links:write');
  const close = () => setDialog(null);
  const saved = view?.saved ?? null;
  if (views.rows.length === 0 && view === null && !mayWrite) return null;
  return (
    <section className="view-bar side-by-side" aria-label={text('Saved view')}>
      <label className="quiet">
        <span>{text('View')}</span>
        <select value={saved?.id ?? ''} onChange={({ target }) => onOpen(target.value === '' ? null : target.value)}>
          <option value="">{text('None')}</option>
          {saved === null || views.rows.some(({ id }) => id === saved.id) ? null : <option value={saved.id}>{saved.name}</option>}
          {views.rows.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div className="view-state" role="status">
        {view?.error?.code === 'not_found' ? <Badge tone="warn">{text('This view no longer exists')}</Badge> : null}
        {view?.isChanged === true ? <Badge tone="info">{text('Changed, not saved')}</Badge> : null}
      </div>
      {view?.isChanged === true ? <Button onClick={() => onOpen(view.id)}>{text('Discard changes')}</Button> : null}
      {mayWrite && view?.isChanged === true && saved !== null ? (
        <Overwrite asked={asked} view={view} onDone={() => onOpen(view.id)} />
      ) : null}
      {mayWrite ? (
        <>
          <Button onClick={() => setDialog('save')}>{saved === null ? text('Save view') : text('Save as new')}</Button>
          {saved === null ? null : (
            <>
              <Button onClick={() => setDialog('edit')}>{text('Rename or delete')}</Button>
              <Button onClick={() => setDialog('share')}>{text('Share')}</Button>
            </>
          )}
        </>
      ) : null}
      <Suspense fallback={null}>
        {dialog === 'save' ? <SaveView asked={asked} onSaved={onOpen} onClose={close} /> : null}
        {dialog === 'edit' && saved !== null ? <EditView view={saved} onDeleted={() => onOpen(null)} onClose={close} /> : null}
        {dialog === 'share' && saved !== null ? <ShareView view={saved} onClose={close} /> : null}
      </Suspense>
    </section>
  );
}

interface OverwriteProps {
  readonly asked: Asked;
  readonly view: OpenedView;
  readonly onDone: () => void;
}

/** Saves what is shown under the name of the view, unless someone else has saved the view in the meantime. */
function Overwrite({ asked, view, onDone }: OverwriteProps) {
  const take = useSavedView();
  const write = useWrite('PATCH /views/{view}', {
    outdates: ['/views'],
    onDone: (saved) => {
      toast(text('The view {name} was saved.', { name: saved.name }));
      take(saved);
      onDone();
    },
    onFailed: ({ code, message }) => toast(code === 'precondition_failed' ? textOf(CHANGED_MEANWHILE) : message, 'bad'),
  });
  const save = () =>
    write.mutate({ params: { view: view.id }, body: viewOf(asked), ifMatch: view.saved === null ? undefined : tagOf(view.saved) });
  return (
    <Button variant="primary" busy={write.isPending} onClick={save}>
      {text('Save changes')}
    </Button>
  );
}

const CHANGED_MEANWHILE = message(
  'Somebody else has changed this view. Discard your changes to see their version, save again to replace it, or save yours as a new view.',
);
