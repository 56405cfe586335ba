import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { download } from '../../format/download.js';
import { exactCount } from '../../format/numbers.js';
import { languageOf } from '../../language/quoted.js';
import { counted, text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Confirm, Dialog } from '../../parts/dialog.js';
import { useLeaving } from '../../parts/leave.js';
import { toast } from '../../parts/toasts.js';
import { useAllRows } from '../../session/queries.js';
import { useConnection, useMay } from '../../session/signed-in.js';
import { type ChangeOutcome, changeLinks, type LinkChange } from './change-links.js';
import { EXPORT_FORMATS, exportFile } from './export-file.js';
import { namesIn } from './listed.js';
import type { Selection } from './selection.js';

interface Action {
  /** What was done with so many links: `3 links are disabled.` */
  readonly done: (links: number) => string;
  readonly change: LinkChange;
  /** Takes the change back; null if that cannot be done. */
  readonly undo: LinkChange | null;
}

const countOf = (links: readonly unknown[]) => counted(links.length, '{count} link', '{count} links');

interface SelectedLinksProps {
  readonly selection: Selection;
  readonly shown: readonly Link[];
}

/** What can be done with the chosen links together. */
export function SelectedLinks({ selection, shown }: SelectedLinksProps) {
  const mayWrite = useMay('links:write');
  const { links, choose } = selection;
  const { busy, outcomes, run, forget } = useAction();
  const [asking, setAsking] = useState<'tags' | 'campaign' | 'delete' | null>(null);
  const start = (action: Action) => {
    setAsking(null);
    void run(links, action).then((allDone) => allDone && choose([]));
  };
  return (
    <fieldset className="selection" aria-label={text('Chosen links')} disabled={busy !== null}>
      <strong aria-live="polite">{busy ?? counted(links.length, '{count} link chosen', '{count} links chosen')}</strong>
      {links.length < shown.length ? (
        <Button onClick={() => choose(shown)}>{text('Choose all {shown} shown', { shown: exactCount(shown.length) })}</Button>
      ) : null}
      {mayWrite ? (
        <>
          <Button onClick={() => setAsking('tags')}>{text('Add tags')}</Button>
          <Button onClick={() => setAsking('campaign')}>{text('Set campaign')}</Button>
          <StateButtons links={links} start={start} />
          <Button variant="danger" onClick={() => setAsking('delete')}>
            {text('Delete')}
          </Button>
        </>
      ) : null}
      {EXPORT_FORMATS.map((format) => (
        <Button key={format} onClick={() => download(exportFile(links, format), `links.${format}`)}>
          {text('Export {format}', { format: format.toUpperCase() })}
        </Button>
      ))}
      <Button onClick={() => choose([])}>{text('Choose none')}</Button>
      {asking === 'tags' ? <AddTags onStart={start} onClose={() => setAsking(null)} /> : null}
      {asking === 'campaign' ? <SetCampaign onStart={start} onClose={() => setAsking(null)} /> : null}
      {asking === 'delete' ? (
        <Confirm
          title={counted(links.length, 'Delete {count} link?', 'Delete {count} links?')}
          confirm={counted(links.length, 'Delete {count} link', 'Delete {count} links')}
          busy={false}
          error={null}
          onConfirm={() => start(DELETION)}
          onClose={() => setAsking(null)}
        >
          <p>{text('They stop working at once, and their paths stay taken for 90 days.')}</p>
        </Confirm>
      ) : null}
      {outcomes === null ? null : <Refused outcomes={outcomes} onClose={forget} />}
    </fieldset>
  );
}

function StateButtons({ links, start }: { readonly links: readonly Link[]; readonly start: (action: Action) => void }) {
  const button = (label: string, action: Action) => <Button onClick={() => start(action)}>{label}</Button>;
  return (
    <>
      {links.some(({ status }) => status !== 'disabled' && status !== 'blocked') ? button(text('Disable'), statusAction('disabled')) : null}
      {links.some(({ status }) => status === 'disabled') ? button(text('Enable'), statusAction('active')) : null}
      {links.some(({ archived }) => !archived) ? button(text('Archive'), archiveAction(true)) : null}
      {links.some(({ archived }) => archived) ? button(text('Take out of the archive'), archiveAction(false)) : null}
    </>
  );
}

function statusAction(status: 'active' | 'disabled'): Action {
  const differs = (link: Link) => (link.status === 'disabled') !== (status === 'disabled') && link.status !== 'blocked';
  const other = status === 'active' ? 'disabled' : 'active';
  return {
    done: (links) =>
      status === 'active'
        ? counted(links, '{count} link is enabled.', '{count} links are enabled.')
        : counted(links, '{count} link is disabled.', '{count} links are disabled.'),
    change: (link) => (differs(link) ? { status } : null),
    undo: (link) => (differs(link) ? { status: other } : null),
  };
}

function archiveAction(archived: boolean): Action {
  const differs = (link: Link) => link.archived !== archived;
  return {
    done: (links) =>
      archived
        ? counted(links, '{count} link is archived.', '{count} links are archived.')
        : counted(links, '{count} link is out of the archive.', '{count} links are out of the archive.'),
    change: (link) => (differs(link) ? { archived } : null),
    undo: (link) => (differs(link) ? { archived: !archived } : null),
  };
}

const DELETION: Action = {
  done: (links) => counted(links, '{count} link is deleted.', '{count} links are deleted.'),
  change: () => 'delete',
  undo: null,
};

function takenBack(links: number): string {
  return counted(links, '{count} link is as before.', '{count} links are as before.');
}

function AddTags({ onStart, onClose }: { readonly onStart: (action: Action) => void; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const known = useAllRows('GET /tags', {}).rows;
  const names = namesIn(typed);
  const start = () =>
    onStart({
      done: (links) => counted(links, '{count} link is tagged {tags}.', '{count} links are tagged {tags}.', { tags: names.join(', ') }),
      change: ({ tags }) => ({ tags: [...new Set([...tags, ...names])] }),
      undo: ({ tags }) => ({ tags: [...tags] }),
    });
  return (
    <Choice title={text('Add tags')} submit={text('Add tags')} disabled={names.length === 0} onSubmit={start} onClose={onClose}>
      <label>
        {text('Tags, with commas between them')}
        <input list="known-tags" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
      <datalist id="known-tags">
        {known.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </Choice>
  );
}

function SetCampaign({ onStart, onClose }: { readonly onStart: (action: Action) => void; readonly onClose: () => void }) {
  const [key, setKey] = useState('');
  const campaigns = useAllRows('GET /campaigns', {}).rows;
  const start = () =>
    onStart({
      done: (links) =>
        key === ''
          ? counted(links, '{count} link is in no campaign.', '{count} links are in no campaign.')
          : counted(links, '{count} link is in the campaign {key}.', '{count} links are in the campaign {key}.', { key }),
      change: () => ({ campaign: key === '' ? null : key }),
      undo: ({ campaign }) => ({ campaign }),
    });
  return (
    <Choice title={text('Set the campaign')} submit={text('Set campaign')} disabled={false} onSubmit={start} onClose={onClose}>
      <label>
        {text('Campaign')}
        <select value={key} onChange={(event) => setKey(event.target.value)}>
          <option value="">{text('None')}</option>
          {campaigns.map((campaign) => (
            <option key={campaign.key} value={campaign.key}>
              {campaign.name}
            </option>
          ))}
        </select>
      </label>
    </Choice>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly submit: string;
  readonly disabled: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Choice({ title, submit, disabled, onSubmit, onClose, children }: ChoiceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <div className="form-buttons">
          <Button type="submit" variant="primary" disabled={disabled}>
            {submit}
          </Button>
          <Button onClick={onClose}>{text('Cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Runs an action on several links, and says what became of them. */
function useAction() {
  const { connection, environment } = useConnection();
  const client = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [outcomes, setOutcomes] = useState<readonly ChangeOutcome[] | null>(null);
  const leaving = useLeaving();
  /** Resolves to whether all of them were changed. What was under way when the page is left has its effect. */
  const run = async (links: readonly Link[], { done, change, undo }: Action, signal = leaving.current.signal): Promise<boolean> => {
    const onProgress = (done: number) => setBusy(text('{done} of {links}', { done: exactCount(done), links: countOf(links) }));
    onProgress(0);
    try {
      const results = await changeLinks({ connection, links, change, signal, onProgress });
      const changed = results.filter(({ error }) => error === null).map(({ link }) => link);
      if (changed.length < links.length) setOutcomes(results);
      // The message outlives the list.
      const takeBack = () => void run(changed, { done: takenBack, change: undo ?? (() => null), undo: null }, new AbortController().signal);
      if (changed.length > 0) toast(done(changed.length), 'good', undo === null ? null : { label: text('Undo'), run: takeBack });
      return changed.length === links.length;
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    } finally {
      setBusy(null);
      void client.invalidateQueries({
        predicate: ({ queryKey: [of, path] }) => of === environment && /^\/(links|tags)/.test(String(path)),
      });
    }
  };
  return { busy, outcomes, run, forget: () => setOutcomes(null) };
}

function Refused({ outcomes, onClose }: { readonly outcomes: readonly ChangeOutcome[]; readonly onClose: () => void }) {
  const refused = outcomes.filter(({ error }) => error !== null);
  return (
    <Dialog title={counted(refused.length, '{count} link could not be changed', '{count} links could not be changed')} onClose={onClose}>
      <ul className="lines">
        {refused.map(({ link, error }) => (
          <li key={link.id}>
            <strong>{link.path}</strong>: <span lang={languageOf(error ?? undefined)}>{error}</span>
          </li>
        ))}
      </ul>
      <p className="muted">{text('They are still chosen, and the others are done.')}</p>
    </Dialog>
  );
}
