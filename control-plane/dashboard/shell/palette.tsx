import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import type { ListedLink } from '../../../shared/contract/schemas/link-list.js';
import type { ApiError } from '../api/client.js';
import { withoutScheme } from '../format/urls.js';
import { languageOf } from '../language/quoted.js';
import { counted, message, text, textOf } from '../language/text.js';
import { useAfterTyping } from '../parts/after-typing.js';
import { IconButton } from '../parts/button.js';
import { Modal } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { useLinkSearch } from '../screens/links/link-search.js';
import { useRead } from '../session/queries.js';
import { type Command, type CommandGroup, type CommandsOptions, matching, useCommands } from './commands.js';

interface PaletteProps extends CommandsOptions {
  readonly onClose: () => void;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Finds screens, commands and links by the text that the user types. Arrow keys choose, Enter runs. */
export function Palette({ onClose, ...options }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const ids = useId();
  const { links, searching, error } = useFoundLinks(typed.trim());
  const groups = [...matching(useCommands(options), typed), ...linkGroup(links, useLocation()[1])];
  const commands = groups.flatMap((group) => group.commands);
  const chosen = commands[Math.min(at, commands.length - 1)];
  const run = (command: Command) => {
    // The palette closes first, so that the focus is back in its old place before the command moves it.
    flushSync(onClose);
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key] ?? 0;
    if (step !== 0) setAt((Math.min(at, commands.length - 1) + step + commands.length) % Math.max(1, commands.length));
    else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    else if (chosen !== undefined) run(chosen);
    event.preventDefault();
  };
  return (
    <Modal labelledBy={`${ids}-name`} className="dialog palette" onClose={onClose}>
      <h2 id={`${ids}-name`} className="visually-hidden">
        {text('Search and commands')}
      </h2>
      <div className="palette-input">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={text('Search screens, commands and links')}
          aria-expanded="true"
          aria-controls={`${ids}-list`}
          aria-autocomplete="list"
          aria-activedescendant={chosen === undefined ? undefined : `${ids}-${chosen.id}`}
          placeholder={text('Find a link, go to a screen, run a command')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={press}
          autoComplete="off"
          spellCheck={false}
        />
        <IconButton icon="close" label={text('Close')} onClick={onClose} />
      </div>
      <Found groups={groups} chosen={chosen} ids={ids} onChoose={run} />
      <Count count={commands.length} searching={searching} error={error} />
    </Modal>
  );
}

interface CountProps {
  readonly count: number;
  readonly searching: boolean;
  /** Why links could not be searched. */
  readonly error: ApiError | null;
}

function Count({ count, searching, error }: CountProps) {
  const failure = searching ? undefined : error?.message;
  const none = searching ? text('Searching') : text('Nothing matches');
  return (
    <p className={count === 0 || failure !== undefined ? 'palette-none' : 'visually-hidden'} role="status" lang={languageOf(failure)}>
      {failure ?? (count === 0 ? none : counted(count, '{count} result', '{count} results'))}
    </p>
  );
}

interface FoundProps {
  readonly groups: readonly CommandGroup[];
  readonly chosen: Command | undefined;
  readonly ids: string;
  readonly onChoose: (command: Command) => void;
}

function Found({ groups, chosen, ids, onChoose }: FoundProps) {
  const list = useRef<HTMLDivElement>(null);
  const id = chosen?.id;
  useEffect(() => {
    if (id !== undefined) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  return (
    // The input keeps the focus and refers to the chosen option.
    <div ref={list} id={`${ids}-list`} className="palette-list" role="listbox" aria-label={text('Results')} tabIndex={-1}>
      {groups.map(({ title, commands }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox knows groups, and no fieldsets
        <div key={title} role="group" aria-label={title}>
          <p className="palette-group" aria-hidden="true">
            {title}
          </p>
          {commands.map((command) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the input
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            <div
              key={command.id}
              id={`${ids}-${command.id}`}
              role="option"
              aria-selected={command === chosen}
              className="palette-option"
              onClick={() => onChoose(command)}
            >
              <Icon name={command.icon} />
              <span className="one-line">{command.label}</span>
              {title === textOf(LINKS) ? <span className="palette-note quiet one-line">{command.note}</span> : null}
              {command.key === undefined ? null : (
                <span className="kbd" aria-hidden="true">
                  {command.key}
                </span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const LINKS = message('Links');
const LINKS_MAX = 6;

interface FoundLinks {
  readonly links: readonly ListedLink[];
  readonly searching: boolean;
  readonly error: ApiError | null;
}

/** A text that may be the path of a link, or its beginning. */
const PATH = /^[A-Za-z0-9_-]{1,64}$/;
const PATHS_MAX = 25;

/**
 * Searches return the newest links first. A link whose path begins with the text may be older than all those that only contain it, and is
 * found separately.
 */
function useFoundLinks(typed: string): FoundLinks {
  const asked = useAfterTyping(typed);
  const search = useLinkSearch()(asked);
  const isPath = PATH.test(search);
  const found = useRead('GET /links', { query: { search, limit: LINKS_MAX } }, { enabled: search !== '', keepsLast: true });
  const named = useRead('GET /links', { query: { path: search, limit: PATHS_MAX } }, { enabled: isPath, keepsLast: true });
  if (search === '') return { links: [], searching: typed !== '' && asked !== typed, error: null };
  // The last answer stays until the next one, and may be that to a shorter text.
  const begins = isPath ? (named.data?.data ?? []).filter(({ path }) => path.toLowerCase().startsWith(search.toLowerCase())) : [];
  return {
    links: closestOf([...begins, ...(found.data?.data ?? [])], search),
    searching: typed !== '' && (asked !== typed || found.isFetching || named.isFetching),
    error: found.error,
  };
}

/** The first links, each once, beginning with the one that has this path. */
function closestOf(links: readonly ListedLink[], path: string): readonly ListedLink[] {
  const exact = links.filter((link) => link.path === path);
  const byId = new Map([...exact, ...links].map((link) => [link.id, link]));
  return [...byId.values()].slice(0, LINKS_MAX);
}

function linkGroup(links: readonly ListedLink[], navigate: (path: string) => void): readonly CommandGroup[] {
  if (links.length === 0) return [];
  const commands = links.map(({ id, url, title, destinations }): Command => {
    const note = [title, destinations.web].filter(Boolean).join(' · ');
    return { id, label: withoutScheme(url), note, icon: 'link', run: () => navigate(`/links/${id}`) };
  });
  return [{ title: textOf(LINKS), commands }];
}
