import type { ReactNode } from 'react';
import { VIEW_NAME_CHARACTERS_MAX } from '../../../../shared/base/view-limits.js';
import type { ApiError } from '../../api/client.js';
import { PlainField } from '../../forms/fields.js';
import { text } from '../../language/text.js';

interface ViewNameFieldProps {
  readonly name: string;
  readonly help?: ReactNode;
  readonly error: ApiError | null;
  readonly onChange: (name: string) => void;
}

export function ViewNameField({ name, help, error, onChange }: ViewNameFieldProps) {
  return (
    <PlainField
      label={text('Name')}
      help={help}
      error={error?.reason}
      required
      maxLength={VIEW_NAME_CHARACTERS_MAX}
      value={name}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
