import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { exactCount } from '../../format/numbers.js';
import { counted, text } from '../../language/text.js';
import { Button, IconButton } from '../../parts/button.js';
import { Confirm, Dialog } from '../../parts/dialog.js';
import { Menu, type MenuItem } from '../../parts/menu.js';
import { usePhoneWidth } from '../../parts/phone-width.js';
import { useKnownTags } from '../../session/known-tags.js';
import { useMay } from '../../session/signed-in.js';
import { CampaignChoice } from './campaign-choice.js';
import { ExportChosen } from './export-links.js';
import { type Action, Refused, useAction } from './link-action.js';
import { namesIn } from './listed.js';
import type { Selection } from './selection.js';

interface SelectedLinksProps {
  readonly selection: Selection;
  readonly shown: readonly Link[];
}

/** The actions on the selected links. An action that has begun continues when the list comes to show other links. */
export function SelectedLinks({ selection, shown }: SelectedLinksProps) {
  const mayWrite = useMay('links:write');
  const isPhone = usePhoneWidth();
  const { links, choose, drop } = selection;
  const { busy, outcomes, run, forget } = useAction();
  const [asking, setAsking] = useState<'tags' | 'campaign' | 'export' | 'delete' | null>(null);
  const start = (action: Action) => {
    setAsking(null);
    void run(links, action).then(drop);
  };
  const chosen = links.length === 0 ? '' : counted(links.length, '{count} link chosen', '{count} links chosen');
  const words = busy ?? chosen;
  const actions: readonly MenuItem[] = [
    ...(links.length < shown.length
      ? [{ label: text('Choose all {shown} shown', { shown: exactCount(shown.length) }), onChoose: () => choose(shown) }]
      : []),
    ...(mayWrite
      ? [
          { label: text('Add tags'), onChoose: () => setAsking('tags') },
          { label: text('Set campaign'), onChoose: () => setAsking('campaign') },
          ...stateActions(links).map(({ label, action }) => ({ label, onChoose: () => start(action) })),
          { label: text('Delete'), onChoose: () => setAsking('delete'), danger: true },
        ]
      : []),
    { label: text('Export chosen'), onChoose: () => setAsking('export') },
  ];
  return (
    <>
      {/* There before the first link is chosen, because a screen reader reads changes of what it already knows. */}
      <p className="visually-hidden" role="status">
        {busy === null ? chosen : ''}
      </p>
      {words === '' && outcomes === null ? null : (
        <Bar words={words} actions={actions} isPhone={isPhone} isBusy={busy !== null} onClear={() => choose([])} />
      )}
      {asking === 'tags' ? <AddTags onStart={start} onClose={() => setAsking(null)} /> : null}
      {asking === 'campaign' ? <SetCampaign onStart={start} onClose={() => setAsking(null)} /> : null}
      {asking === 'export' ? <ExportChosen links={links} onClose={() => setAsking(null)} /> : null}
      {asking === 'delete' ? (
        <Confirm
          title={counted(links.length, 'Delete {count} link?', 'Delete {count} links?')}
          confirm={counted(links.length, 'Delete {count} link', 'Delete {count} links')}
          onConfirm={() => start(DELETION)}
          onClose={() => setAsking(null)}
        >
          <p>
            {counted(
              links.length,
              'It stops working at once, and its path stays taken for 90 days.',
              'They stop working at once, and their paths stay taken for 90 days.',
            )}
          </p>
        </Confirm>
      ) : null}
      {outcomes === null ? null : <Refused outcomes={outcomes} onClose={forget} />}
    </>
  );
}

interface BarProps {
  readonly words: string;
  readonly actions: readonly MenuItem[];
  readonly isPhone: boolean;
  /** Whether an action is running. Another one cannot begin meanwhile. */
  readonly isBusy: boolean;
  readonly onClear: () => void;
}

/** The bar with the actions. When it disappears, the focus returns to where the choice began. */
function Bar({ words, actions, isPhone, isBusy, onClear }: BarProps) {
  const bar = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = bar.current;
    return () => {
      if (element?.contains(document.activeElement) && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <fieldset ref={bar} className="selection framed side-by-side" aria-label={text('Chosen links')} aria-busy={isBusy}>
      <strong>{words}</strong>
      {isPhone ? (
        <Menu label={text('Actions')} items={isBusy ? [] : actions} up />
      ) : (
        actions.map(({ label, onChoose, danger = false }) => (
          <Button key={label} variant={danger ? 'danger' : 'default'} disabled={isBusy} onClick={onChoose}>
            {label}
          </Button>
        ))
      )}
      <IconButton
        icon="close"
        label={text('Clear selection')}
        title={text('Clear selection')}
        onClick={() => {
          if (!isBusy) onClear();
        }}
      />
    </fieldset>
  );
}

function stateActions(links: readonly Link[]): readonly { readonly label: string; readonly action: Action }[] {
  const offered = (isOffered: boolean, label: string, action: Action) => (isOffered ? [{ label, action }] : []);
  return [
    ...offered(
      links.some(({ status }) => status !== 'disabled' && status !== 'blocked'),
      text('Disable'),
      statusAction('disabled'),
    ),
    ...offered(
      links.some(({ status }) => status === 'disabled'),
      text('Enable'),
      statusAction('active'),
    ),
    ...offered(
      links.some(({ archived }) => !archived),
      text('Archive'),
      archiveAction(true),
    ),
    ...offered(
      links.some(({ archived }) => archived),
      text('Remove from the archive'),
      archiveAction(false),
    ),
  ];
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
    undo: (before) => (now) => (differs(before) && !differs(now) && now.status !== 'blocked' ? { status: other } : null),
  };
}

function archiveAction(archived: boolean): Action {
  const differs = (link: Link) => link.archived !== archived;
  return {
    done: (links) =>
      archived
        ? counted(links, '{count} link is archived.', '{count} links are archived.')
        : counted(links, '{count} link was removed from the archive.', '{count} links were removed from the archive.'),
    change: (link) => (differs(link) ? { archived } : null),
    undo: (before) => (now) => (differs(before) && !differs(now) ? { archived: !archived } : null),
  };
}

const DELETION: Action = {
  done: (links) => counted(links, '{count} link is deleted.', '{count} links are deleted.'),
  change: () => 'delete',
  undo: 'restore',
};

function AddTags({ onStart, onClose }: { readonly onStart: (action: Action) => void; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const known = useKnownTags();
  const names = namesIn(typed);
  const start = () =>
    onStart({
      done: (links) => counted(links, '{count} link is tagged {tags}.', '{count} links are tagged {tags}.', { tags: names.join(', ') }),
      change: { asItIs: ({ tags }) => ({ tags: [...new Set([...tags, ...names])] }) },
      undo: (before) => {
        const added = names.filter((name) => !before.tags.includes(name));
        return ({ tags }) => ({ tags: tags.filter((name) => !added.includes(name)) });
      },
    });
  return (
    <Choice title={text('Add tags')} submit={text('Add tags')} disabled={names.length === 0} onSubmit={start} onClose={onClose}>
      <label>
        {text('Tags, separated by commas')}
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
  const chosen = key === '' ? null : key;
  const field = useId();
  const start = () =>
    onStart({
      done: (links) =>
        key === ''
          ? counted(links, '{count} link is in no campaign.', '{count} links are in no campaign.')
          : counted(links, '{count} link is in the campaign {key}.', '{count} links are in the campaign {key}.', { key }),
      // Based on the link as it is shown, so that a campaign that someone else has set in the meantime is not replaced unseen.
      change: ({ campaign }) => (campaign === chosen ? null : { campaign: chosen }),
      undo: (before) => (now) => (before.campaign !== chosen && now.campaign === chosen ? { campaign: before.campaign } : null),
    });
  return (
    <Choice title={text('Set the campaign')} submit={text('Set campaign')} disabled={false} onSubmit={start} onClose={onClose}>
      <div className="field">
        <label htmlFor={field} id={`${field}-label`}>
          {text('Campaign')}
        </label>
        <CampaignChoice id={field} value={key} none={text('None')} onChoose={setKey} />
      </div>
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
