import { type AriaAttributes, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Choice } from './select.js';

interface ComboboxProps {
  readonly id: string;
  /** The value of the chosen option. */
  readonly value: string;
  /** The text of the field while nothing is typed: the label of the chosen option, which need not be among the options. */
  readonly shown: string;
  readonly options: readonly Choice[];
  /** A note about the options: that there are more, that none matches, or that they are loading. */
  readonly note: string | null;
  readonly onType: (typed: string) => void;
  readonly onChoose: (value: string) => void;
  readonly disabled?: boolean;
  readonly 'aria-invalid'?: AriaAttributes['aria-invalid'];
  readonly 'aria-describedby'?: string;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * A field with a search (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/, list autocomplete with manual selection). The value changes
 * only when an option is chosen.
 */
export function Combobox({ id, value, shown, options, note, onType, onChoose, ...wiring }: ComboboxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const isOpen = typed !== null;
  const active = isOpen ? options[Math.min(at, options.length - 1)] : undefined;
  const type = (text: string | null) => {
    setTyped(text);
    setAt(0);
    onType(text ?? '');
  };
  const choose = (option: Choice) => {
    onChoose(option.value);
    type(null);
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key] ?? 0;
    if (step !== 0 && isOpen) setAt((Math.min(at, options.length - 1) + step + options.length) % Math.max(1, options.length));
    else if (step !== 0) type('');
    else if (event.key === 'Escape' && isOpen) type(null);
    else if (event.key === 'Enter' && active !== undefined && !event.nativeEvent.isComposing) choose(active);
    else return;
    event.preventDefault();
    // Escape closes the list, but not the dialog around it.
    event.stopPropagation();
  };
  return (
    <div className="combobox">
      <input
        {...wiring}
        id={id}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={active === undefined ? undefined : `${id}-${active.value}`}
        placeholder={shown}
        value={typed ?? shown}
        onChange={({ target }) => type(target.value)}
        onClick={() => isOpen || type('')}
        onFocus={({ target }) => target.select()}
        onBlur={() => isOpen && type(null)}
        onKeyDown={press}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={isOpen ? 'combobox-popup' : 'visually-hidden'}>
        <Options id={id} value={value} options={isOpen ? options : []} active={active} onChoose={choose} />
        <p className={note === null ? 'visually-hidden' : 'combobox-note'} role="status">
          {isOpen ? note : null}
        </p>
      </div>
    </div>
  );
}

interface OptionsProps extends Pick<ComboboxProps, 'id' | 'value' | 'options'> {
  readonly active: Choice | undefined;
  readonly onChoose: (option: Choice) => void;
}

function Options({ id, value, options, active, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  const at = active?.value;
  useEffect(() => {
    if (at !== undefined) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      className="combobox-list"
      role="listbox"
      aria-labelledby={`${id}-label`}
      hidden={options.length === 0}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the input
        // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
        <div
          key={option.value}
          id={`${id}-${option.value}`}
          role="option"
          aria-selected={option.value === value}
          data-active={option === active ? '' : undefined}
          className="combobox-option"
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option.label}
        </div>
      ))}
    </div>
  );
}
