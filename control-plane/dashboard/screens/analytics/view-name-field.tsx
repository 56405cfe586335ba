import { type ReactNode, useId } from 'react';
import { VIEW_NAME_CHARACTERS_MAX } from '../../../../shared/base/view-limits.js';
import type { ApiError } from '../../api/client.js';
import { FieldNotes } from '../../forms/fields.js';
import { text } from '../../language/text.js';

interface ViewNameFieldProps {
  readonly name: string;
  readonly help?: ReactNode;
  readonly error: ApiError | null;
  readonly onChange: (name: string) => void;
}

export function ViewNameField({ name, help, error, onChange }: ViewNameFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{text('Name')}</label>
      <input
        id={id}
        required
        maxLength={VIEW_NAME_CHARACTERS_MAX}
        value={name}
        aria-invalid={error !== null}
        aria-describedby={`${id}-help ${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      />
      <FieldNotes id={id} help={help} error={error === null ? undefined : (error.fields[0]?.detail ?? error.message)} />
    </div>
  );
}
