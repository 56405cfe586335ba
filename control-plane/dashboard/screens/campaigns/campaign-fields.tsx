import { useEffect, useRef } from 'react';
import { TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { text, textOf } from '../../language/text.js';
import { useSignedIn } from '../../session/signed-in.js';
import { UTM_LABELS, UTM_NAMES } from '../links/link-words.js';

interface CampaignFieldsProps {
  readonly isNew: boolean;
  /** Whether a campaign whose end has passed is to become active again, for which it needs another end. */
  readonly resuming?: boolean;
}

export function CampaignFields({ isNew, resuming = false }: CampaignFieldsProps) {
  const { timeZone } = useSignedIn();
  const times = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (resuming) times.current?.querySelector<HTMLElement>('.field:last-child input')?.focus();
  }, [resuming]);
  return (
    <>
      <FieldGroup title={text('Campaign')} help={text('Links refer to a campaign by its key.')}>
        <TextField field="/name" label={text('Name')} placeholder={text('Spring sale')} required />
        <TextField
          field="/key"
          label={text('Key')}
          placeholder="spring"
          help={isNew ? text('Letters, digits, - and _. It never changes.') : text('The key of a campaign never changes.')}
          disabled={!isNew}
          required
          monospace
        />
      </FieldGroup>
      <FieldGroup
        title={text('UTM fields')}
        help={text('Links of the campaign add these fields to web destinations. A field that a link sets itself takes precedence.')}
      >
        <div className="field-row">
          {UTM_NAMES.map((name) => (
            <TextField key={name} field={`/${name}`} label={textOf(UTM_LABELS[name])} />
          ))}
        </div>
      </FieldGroup>
      <FieldGroup
        title={text('Time')}
        help={text("In the project's time zone, {timeZone}. The campaign ends automatically at this time. Its links keep working.", {
          timeZone,
        })}
      >
        <div className="field-row" ref={times}>
          <TextField field="/starts_at" label={text('Starts')} type="datetime-local" />
          <TextField
            field="/ends_at"
            label={text('Ends')}
            type="datetime-local"
            warning={
              resuming
                ? text('The campaign has ended at this time. To make it active again, enter a later time or none, and save.')
                : undefined
            }
          />
        </div>
      </FieldGroup>
    </>
  );
}
