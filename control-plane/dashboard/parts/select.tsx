import type { ReactNode } from 'react';

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

export function Options({ choices }: { readonly choices: readonly Choice[] }): ReactNode {
  return choices.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

interface LabelledSelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** Selects one of several values, such as a filter of a list. */
export function LabelledSelect<Value extends string>({ label, value, choices, onChange }: LabelledSelectProps<Value>) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        <Options choices={choices} />
      </select>
    </label>
  );
}
