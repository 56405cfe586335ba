import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { exactCount } from '../../format/numbers.js';
import { languageOf, quotedAs } from '../../language/quoted.js';
import { counted, text } from '../../language/text.js';
import { Dialog } from '../../parts/dialog.js';
import { useLeaving } from '../../parts/leave.js';
import { toast } from '../../parts/toasts.js';
import { outdate } from '../../session/outdate.js';
import { showChanged } from '../../session/show-changed.js';
import { useConnection } from '../../session/signed-in.js';
import { type AnyChange, type ChangeOutcome, changeLinks, type LinkChange } from './change-links.js';

export interface Action {
  /** Says what was done to so many links: `3 links are disabled.` */
  readonly done: (links: number) => string;
  readonly change: AnyChange;
  /**
   * Undoes the change. The function gets the link before the change, and returns the change to make to the link as it is now. `restore`
   * restores a deleted link.
   */
  readonly undo: ((before: Link) => LinkChange) | 'restore';
}

const countOf = (links: readonly unknown[]) => counted(links.length, '{count} link', '{count} links');

/** Runs an action on several links and reports the results. */
export function useAction() {
  const { connection, environment } = useConnection();
  const client = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [outcomes, setOutcomes] = useState<readonly ChangeOutcome[] | null>(null);
  const leaving = useLeaving();
  const make = async (links: readonly Link[], change: (link: Link) => AnyChange, signal: AbortSignal) => {
    const onProgress = (done: number) => setBusy(text('{done} of {links}', { done: exactCount(done), links: countOf(links) }));
    onProgress(0);
    try {
      const outcomes = await changeLinks({ connection, links, change, signal, onProgress });
      showChanged(client, {
        environment,
        path: '/links',
        changed: outcomes.flatMap(({ now }) => (now === 'deleted' ? [] : (now ?? []))),
        deleted: outcomes.flatMap(({ link, now }) => (now === 'deleted' ? link.id : [])),
      });
      return outcomes;
    } finally {
      setBusy(null);
      void outdate(client, { environment, prefixes: ['/links', '/tags'], made: links.some((link) => change(link) === 'restore') });
    }
  };
  /** Has its own signal, because the message with the undo button, and the undo itself, outlive the list. */
  const takeBack = async (changed: readonly Link[], undo: Action['undo']) => {
    const back = (before: Link) => (undo === 'restore' ? undo : { asItIs: undo(before) });
    const results = await make(changed, back, new AbortController().signal);
    const failed = results.filter(({ error }) => error !== null);
    if (failed.length === 0) toast(counted(results.length, '{count} link is as before.', '{count} links are as before.'));
    else toast(notTakenBack(failed), 'bad');
  };
  /** Returns the links that were changed. Calls in progress are completed when the user leaves the page. */
  const run = async (links: readonly Link[], { done, change, undo }: Action): Promise<readonly Link[]> => {
    const results = await make(links, () => change, leaving.current.signal);
    const changed = results.filter(({ error }) => error === null).map(({ link }) => link);
    if (changed.length < results.length) setOutcomes(results);
    const offer = changed.length === 0 ? null : { label: text('Undo'), run: () => void takeBack(changed, undo) };
    if (results.length < links.length) toast(stopped(changed, links), 'bad', offer);
    else if (changed.length > 0) toast(done(changed.length), 'good', offer);
    return changed;
  };
  return { busy, outcomes, run, forget: () => setOutcomes(null) };
}

function notTakenBack(failed: readonly ChangeOutcome[]): string {
  const why = failed[0]?.error ?? '';
  return quotedAs(why, counted(failed.length, '{count} link is not as before: {why}', '{count} links are not as before: {why}', { why }));
}

function stopped(changed: readonly Link[], links: readonly Link[]): string {
  return text('You left the page: {done} of {links} were changed.', { done: exactCount(changed.length), links: countOf(links) });
}

export function Refused({ outcomes, onClose }: { readonly outcomes: readonly ChangeOutcome[]; readonly onClose: () => void }) {
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
      <p className="muted">{text('They are still selected. The others were changed.')}</p>
    </Dialog>
  );
}
