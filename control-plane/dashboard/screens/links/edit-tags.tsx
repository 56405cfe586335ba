import { type FormEvent, useId, useState } from 'react';
import type { Tag } from '../../../../shared/contract/schemas/tag.js';
import { tagOfRow } from '../../api/shown-row.js';
import { languageOf } from '../../language/quoted.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Confirm, Dialog } from '../../parts/dialog.js';
import { useLateFailure } from '../../parts/late-failure.js';
import { toast } from '../../parts/toasts.js';
import { useKnownTags } from '../../session/known-tags.js';
import { useWrite } from '../../session/queries.js';
import { useConnection } from '../../session/signed-in.js';

const OUTDATES = ['/tags', '/links'] as const;

/** Called with the name that a tag had, and its new one, which is '' for a tag that was deleted. */
type OnChanged = (before: string, after: string) => void;

interface EditTagsProps {
  readonly onChanged: OnChanged;
  readonly onClose: () => void;
}

/** Renames a tag on all links at once, or removes it from them. */
export function EditTags({ onChanged, onClose }: EditTagsProps) {
  const tags = useKnownTags();
  return (
    <Dialog title={text('Tags')} onClose={onClose}>
      <p className="muted">
        {text('A new name is shown on all links at once. A deleted tag is removed from all links; the links are kept.')}
      </p>
      <ul className="tag-list">
        {tags.map((tag) => (
          <TagEntry key={tag.id} tag={tag} onChanged={onChanged} />
        ))}
      </ul>
    </Dialog>
  );
}

function TagEntry({ tag, onChanged }: { readonly tag: Tag; readonly onChanged: OnChanged }) {
  const [name, setName] = useState(tag.name);
  const [asking, setAsking] = useState(false);
  const { connection } = useConnection();
  const params = { tag: tag.id };
  const ifMatch = () => tagOfRow(connection, 'GET /tags/{tag}', { params }, tag);
  const rename = useWrite('PATCH /tags/{tag}', {
    outdates: OUTDATES,
    onDone: (saved) => {
      onChanged(tag.name, saved.name);
      toast(text('The tag is now called {name}.', { name: saved.name }));
    },
    onFailed: useLateFailure(),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ params, ifMatch, body: { name: name.trim() } });
  };
  const { error } = rename;
  const errorId = useId();
  return (
    <li>
      <form onSubmit={save}>
        <input
          aria-label={text('Name of {name}', { name: tag.name })}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : errorId}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={rename.isPending} disabled={name.trim() === tag.name} label={text('Rename {name}', { name: tag.name })}>
          {text('Rename')}
        </Button>
        <Button variant="danger" onClick={() => setAsking(true)} label={text('Delete {name}', { name: tag.name })}>
          {text('Delete')}
        </Button>
      </form>
      {error === null ? null : (
        <p className="field-error" id={errorId} role="alert">
          <span lang={languageOf(error.reason)}>{error.reason}</span>
        </p>
      )}
      {asking ? <DeleteTag tag={tag} ifMatch={ifMatch} onChanged={onChanged} onClose={() => setAsking(false)} /> : null}
    </li>
  );
}

interface DeleteTagProps {
  readonly tag: Tag;
  readonly ifMatch: () => Promise<string | undefined>;
  readonly onChanged: OnChanged;
  readonly onClose: () => void;
}

function DeleteTag({ tag: { id, name }, ifMatch, onChanged, onClose }: DeleteTagProps) {
  const remove = useWrite('DELETE /tags/{tag}', {
    outdates: OUTDATES,
    onDone: () => {
      onChanged(name, '');
      toast(text('The tag {name} was deleted.', { name }));
    },
  });
  return (
    <Confirm
      title={text('Delete the tag {name}?', { name })}
      confirm={text('Delete tag')}
      onConfirm={() => remove.mutateAsync({ params: { tag: id }, ifMatch })}
      onClose={onClose}
    >
      <p>{text('It is removed from every link that has it. The links are kept.')}</p>
    </Confirm>
  );
}
