import { useState } from 'react';

interface DateFieldProps {
  readonly type: 'date' | 'datetime-local';
  readonly label: string;
  /** A day such as 2026-11-20, or a time of a day such as 2026-11-20T14:05; empty for none. */
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (value: string) => void;
}

/** Years of fewer digits, such as 0002 and 0202, are those of a year that is being typed. */
const IS_TYPED = /^0/;

/** Chooses a day or a time. What has been typed of it stays in the field, and is passed on once its year is whole, or nothing is left. */
export function DateField({ type, label, value, min, max, onChange }: DateFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const enter = (text: string) => {
    setTyped(text);
    if (!IS_TYPED.test(text)) onChange(text);
  };
  return (
    <label>
      {label}
      <input
        type={type}
        value={typed ?? value}
        min={min}
        max={max}
        onChange={({ target }) => enter(target.value)}
        onBlur={() => setTyped(null)}
      />
    </label>
  );
}
