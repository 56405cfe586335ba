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

/**
 * Selects one of several values, such as a filter of a list. A value that is not among the choices, such as a tag that was deleted, is
 * shown too, because it is in force.
 */
export function LabelledSelect<Value extends string>({ label, value, choices, onChange }: LabelledSelectProps<Value>) {
  const isChoice = choices.some((choice) => choice.value === value);
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        <Options choices={isChoice ? choices : [{ value, label: value }, ...choices]} />
      </select>
    </label>
  );
}
