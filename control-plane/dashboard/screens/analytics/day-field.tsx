import { useState } from 'react';

interface DayFieldProps {
  readonly label: string;
  /** A day such as 2026-11-20. */
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
}

/** Years of fewer digits, such as 0002 and 0202, are those of a year that is being typed. */
const WHOLE_DAY = /^[1-9]\d{3}-/;

/** Chooses a day. What has been typed of a day stays in the field, and is passed on once it is whole. */
export function DayField({ label, value, min, max, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const type = (day: string) => {
    setTyped(day);
    if (WHOLE_DAY.test(day)) onChange(day);
  };
  return (
    <label>
      {label}
      <input
        type="date"
        value={typed ?? value}
        min={min}
        max={max}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setTyped(null)}
      />
    </label>
  );
}
