import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { download } from '../../format/download.js';
import { exactCount } from '../../format/numbers.js';
import { text } from '../../language/text.js';
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

/** What is done with the links, as one would say it of them: `3 links are disabled.` */
interface Action {
  readonly done: string;
  readonly change: LinkChange;
  /** Takes the change back; null if that cannot be done. */
  readonly undo: LinkChange | null;
}

const countOf = (links: readonly unknown[]) =>
  links.length === 1 ? '1 link' : text('{length} links', { length: exactCount(links.length) });

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
      <strong aria-live="polite">{busy ?? text('{links} chosen', { links: countOf(links) })}</strong>
      {links.length < shown.length ? (
        <Button onClick={() => choose(shown)}>{text('Choose all {length} shown', { length: exactCount(shown.length) })}</Button>
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
          {text('Export {value}', { value: format.toUpperCase() })}
        </Button>
      ))}
      <Button onClick={() => choose([])}>{text('Choose none')}</Button>
      {asking === 'tags' ? <AddTags onStart={start} onClose={() => setAsking(null)} /> : null}
      {asking === 'campaign' ? <SetCampaign onStart={start} onClose={() => setAsking(null)} /> : null}
      {asking === 'delete' ? (
        <Confirm
          title={text('Delete {links}?', { links: countOf(links) })}
          confirm={text('Delete {links}', { links: countOf(links) })}
          busy={false}
          error={null}
          onConfirm={() => start({ done: 'deleted', change: () => 'delete', undo: null })}
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
    done: status === 'active' ? 'enabled' : 'disabled',
    change: (link) => (differs(link) ? { status } : null),
    undo: (link) => (differs(link) ? { status: other } : null),
  };
}

function archiveAction(archived: boolean): Action {
  const differs = (link: Link) => link.archived !== archived;
  return {
    done: archived ? 'archived' : text('out of the archive'),
    change: (link) => (differs(link) ? { archived } : null),
    undo: (link) => (differs(link) ? { archived: !archived } : null),
  };
}

function AddTags({ onStart, onClose }: { readonly onStart: (action: Action) => void; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const known = useAllRows('GET /tags', {}).rows;
  const names = namesIn(text);
  const start = () =>
    onStart({
      done: text('tagged {value}', { value: names.join(', ') }),
      change: ({ tags }) => ({ tags: [...new Set([...tags, ...names])] }),
      undo: ({ tags }) => ({ tags: [...tags] }),
    });
  return (
    <Choice title={text('Add tags')} submit={text('Add tags')} disabled={names.length === 0} onSubmit={start} onClose={onClose}>
      <label>
        {text('Tags, with commas between them')}
        <input list="known-tags" value={text} onChange={(event) => setText(event.target.value)} />
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
      done: key === '' ? text('in no campaign') : text('in the campaign {key}', { key }),
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
    setBusy(text('0 of {links}', { links: countOf(links) }));
    try {
      const onProgress = (count: number) => setBusy(text('{count} of {links}', { count: exactCount(count), links: countOf(links) }));
      const results = await changeLinks({ connection, links, change, signal, onProgress });
      const changed = results.filter(({ error }) => error === null).map(({ link }) => link);
      if (changed.length < links.length) setOutcomes(results);
      // The message outlives the list.
      const takeBack = () =>
        void run(changed, { done: text('as before'), change: undo ?? (() => null), undo: null }, new AbortController().signal);
      const what = `${countOf(changed)} ${changed.length === 1 ? 'is' : 'are'} ${done}.`;
      if (changed.length > 0) toast(what, 'good', undo === null ? null : { label: text('Undo'), run: takeBack });
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
    <Dialog title={text('{refused} could not be changed', { refused: countOf(refused) })} onClose={onClose}>
      <ul className="lines">
        {refused.map(({ link, error }) => (
          <li key={link.id}>
            <strong>{link.path}</strong>: {error}
          </li>
        ))}
      </ul>
      <p className="muted">{text('They are still chosen, and the others are done.')}</p>
    </Dialog>
  );
}
