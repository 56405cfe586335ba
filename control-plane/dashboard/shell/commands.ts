import { useLocation } from 'wouter';
import { text, textOf } from '../language/text.js';
import type { IconName } from '../parts/icon.js';
import { useShortcuts } from '../parts/shortcuts.js';
import { toggleTheme, useTheme } from '../parts/theme.js';
import { environmentWord } from '../session/environment-words.js';
import { type EnvironmentName, setSession } from '../session/session.js';
import { useMay, useSignedIn } from '../session/signed-in.js';
import { ENVIRONMENTS } from './environment-switch.js';
import { NAVIGATION } from './navigation.js';

/** An entry of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Further words that find the command. */
  readonly note?: string;
  readonly icon: IconName;
  readonly key?: string;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

export interface CommandsOptions {
  readonly onEnvironment: (environment: EnvironmentName) => void;
  readonly onShortcuts: () => void;
}

/** All commands that are available now, whatever the user has typed. */
export function useCommands({ onEnvironment, onShortcuts }: CommandsOptions): readonly CommandGroup[] {
  const { environment } = useSignedIn();
  const [, navigate] = useLocation();
  const mayWrite = useMay('links:write');
  const theme = useTheme();
  const onScreen = useShortcuts().filter(({ everywhere }) => !everywhere);
  const other = ENVIRONMENTS.find((name) => name !== environment) as EnvironmentName;
  const to = (path: string) => () => navigate(path);
  const make: readonly Command[] = [
    { id: 'new-link', label: text('New link'), note: text('create short URL'), icon: 'plus', key: 'c', run: to('/links/new') },
    { id: 'import', label: text('Import links'), note: text('CSV file'), icon: 'upload', run: to('/links/bulk') },
    { id: 'new-campaign', label: text('New campaign'), icon: 'plus', run: to('/campaigns/new') },
  ];
  return [
    {
      title: text('On this screen'),
      commands: onScreen.map(({ key, label, run }) => ({ id: `key-${key}`, label, icon: 'link', key, run })),
    },
    {
      title: text('Actions'),
      commands: [
        ...(mayWrite ? make : []),
        {
          id: 'environment',
          label: text('Switch to the {environment} environment', { environment: environmentWord(other) }),
          icon: 'refresh',
          run: () => onEnvironment(other),
        },
        {
          id: 'theme',
          label: theme === 'dark' ? text('Light colours') : text('Dark colours'),
          note: text('theme mode'),
          icon: theme === 'dark' ? 'sun' : 'moon',
          run: toggleTheme,
        },
        { id: 'shortcuts', label: text('Keyboard shortcuts'), icon: 'keyboard', key: '?', run: onShortcuts },
        { id: 'sign-out', label: text('Sign out'), icon: 'signOut', run: () => setSession(null) },
      ],
    },
    {
      title: text('Go to'),
      commands: NAVIGATION.flatMap(({ items }) =>
        items.map(({ to: path, label, icon }) => ({ id: `to-${path}`, label: textOf(label), icon, run: to(path) })),
      ),
    },
  ];
}

/** The groups, with the commands that contain every word. */
export function matching(groups: readonly CommandGroup[], typed: string): readonly CommandGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label, note = '' }: Command) => {
    const searched = `${label} ${note}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  return groups.map(({ title, commands }) => ({ title, commands: commands.filter(fits) })).filter(({ commands }) => commands.length > 0);
}
