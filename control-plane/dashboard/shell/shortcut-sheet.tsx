import { text } from '../language/text.js';
import { Dialog } from '../parts/dialog.js';
import { modifierKey, paletteKeys, useShortcuts, useSingleKeys } from '../parts/shortcuts.js';

/** Lists every key that does something on the current screen. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const shortcuts = useShortcuts();
  const [enabled, setEnabled] = useSingleKeys();
  const onScreen = shortcuts.filter(({ everywhere }) => !everywhere);
  return (
    <Dialog title={text('Keyboard shortcuts')} onClose={onClose}>
      <Keys
        title={text('Everywhere')}
        keys={[
          { key: paletteKeys(), label: text('Search, go to a screen, run a command') },
          ...shortcuts.filter(({ everywhere }) => everywhere),
          { key: `${modifierKey()} ${text('Enter')}`, label: text('Save the form') },
          { key: 'Esc', label: text('Close what is open') },
        ]}
      />
      {onScreen.length === 0 ? null : <Keys title={text('On this screen')} keys={onScreen} />}
      <label className="check">
        <input type="checkbox" checked={enabled} onChange={({ target }) => setEnabled(target.checked)} />
        <span>
          {text('Single keys')}
          <small>{text('Keys without Ctrl, Alt or ⌘. They do nothing while you type in a field.')}</small>
        </span>
      </label>
    </Dialog>
  );
}

interface KeysProps {
  readonly title: string;
  readonly keys: readonly { readonly key: string; readonly label: string }[];
}

function Keys({ title, keys }: KeysProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="keys">
        {keys.map(({ key, label }) => (
          <div key={key} className="keys-line">
            <dt>{label}</dt>
            <dd>
              {key.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
