import { CheckField, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { text, textOf } from '../../language/text.js';
import { EVENT_HELP, EVENT_TYPES } from './event-types.js';

export function WebhookFields() {
  return (
    <>
      <FieldGroup
        title={text('Endpoint')}
        help={text('The endpoint must respond with a 2xx status within 10 seconds. Redirects are not followed.')}
      >
        <TextField
          field="/url"
          label={text('URL')}
          placeholder="https://hooks.example.com/links"
          help={text('An https URL on a public host name.')}
          required
        />
        <TextField field="/description" label={text('Description')} placeholder={text('Warehouse')} />
      </FieldGroup>
      <FieldGroup
        title={text('Events')}
        help={text('Choose the events that the endpoint receives. Clicks are frequent. Choose them only if you need every click.')}
      >
        <CheckField
          field="/events"
          label={text('Event types')}
          choices={EVENT_TYPES.map((type) => ({ value: type, label: <code>{type}</code>, help: textOf(EVENT_HELP[type]) }))}
        />
      </FieldGroup>
    </>
  );
}
