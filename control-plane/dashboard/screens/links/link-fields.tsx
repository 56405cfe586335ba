import type { Environment } from '../../../../shared/contract/schemas/environment.js';
import type { DraftForm } from '../../forms/draft-form.js';
import { SelectField, SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import type { FieldValues } from '../../session/field-values.js';
import { useAllRows, useRows } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { CardFields } from './card-fields.js';
import { PLATFORM_LABELS, PLATFORM_NAMES, UTM_LABELS, UTM_NAMES } from './link-words.js';
import { RulesFields } from './rules-fields.js';

interface LinkFieldsProps {
  readonly form: DraftForm<FieldValues>;
  /** The path can be set only once. A link keeps it. */
  readonly isNew: boolean;
}

export function LinkFields({ form, isNew }: LinkFieldsProps) {
  const { settings } = useSignedIn();
  const campaigns = useAllRows('GET /campaigns', {}).rows;
  const domains = useAllRows('GET /domains', { query: { status: 'verified' } }).rows;
  const tags = useRows('GET /tags', {}).rows;
  const defaults = settings.default_destinations;
  const chosenCampaign = String(form.values['/campaign']);
  const campaign = campaigns.find(({ key }) => key === chosenCampaign);
  return (
    <>
      <FieldGroup title="Short URL" help="The address that people see and tap.">
        <TextField
          form={form}
          field="/path"
          label="Path"
          prefix={`${shownHost(settings, String(form.values['/domain']))}/`}
          placeholder="generated"
          help={isNew ? 'Letters, digits, - and _. Left empty, seven characters are chosen.' : 'The path of a link never changes.'}
          disabled={!isNew}
          monospace
        />
        {domains.length === 0 ? null : (
          <SelectField
            form={form}
            field="/domain"
            label="Domain"
            choices={[{ value: '', label: settings.link_host }, ...domains.map(({ hostname }) => ({ value: hostname, label: hostname }))]}
          />
        )}
        <TextArea
          form={form}
          field="/aliases"
          label="Aliases"
          rows={2}
          placeholder={`${settings.link_host}/sale/2027.html`}
          help="Other addresses that lead to this link, one in a line: your link host or a domain of yours, and any path."
        />
      </FieldGroup>
      <FieldGroup
        title="Destinations"
        help="The URL that each platform is sent to. An empty field takes the environment's default, shown in grey. A platform without a destination takes the fallback."
      >
        {PLATFORM_NAMES.map((name) => (
          <TextField
            key={name}
            form={form}
            field={`/destinations/${name}`}
            label={PLATFORM_LABELS[name]}
            type="url"
            placeholder={defaults[name] ?? (name === 'web' ? 'https://example.com/spring' : '')}
          />
        ))}
        {(form.changed || !isNew) && leadsNowhere(form.values, defaults) ? (
          <p className="notice notice-warn">
            This link has no destination, and the environment has no default: visitors get a page that names your app, or on a phone its
            page in the store.
          </p>
        ) : null}
      </FieldGroup>
      <CardFields form={form} />
      <FieldGroup title="In the app" help="Data that the app receives when the link opens it.">
        <TextField form={form} field="/deep_link_path" label="Deep link path" placeholder="/" monospace />
        <TextArea form={form} field="/data" label="Data" help="A JSON object, at most 4 KB." placeholder={'{ "product": 42 }'} />
      </FieldGroup>
      <FieldGroup
        title="Campaign and UTM"
        help="Added to web destinations that do not set these fields. The link's fields override those of its campaign."
      >
        <SelectField
          form={form}
          field="/campaign"
          label="Campaign"
          choices={[
            { value: '', label: 'None' },
            ...campaigns.map(({ key, name }) => ({ value: key, label: `${name} (${key})` })),
            ...(chosenCampaign === '' || campaign !== undefined ? [] : [{ value: chosenCampaign, label: chosenCampaign }]),
          ]}
        />
        <div className="field-row">
          {UTM_NAMES.map((name) => (
            <TextField key={name} form={form} field={`/${name}`} label={UTM_LABELS[name]} placeholder={campaign?.[name] ?? ''} />
          ))}
        </div>
      </FieldGroup>
      <RulesFields form={form} />
      <FieldGroup title="Behaviour">
        <SwitchField
          form={form}
          field="/allow_param_passthrough"
          label="Pass query parameters on"
          help="Parameters added to the short URL are stored with the click and reach the destination and the app."
        />
      </FieldGroup>
      <FieldGroup title="For your team" help="How you find the link again. Visitors and apps see none of it.">
        <TextField form={form} field="/title" label="Name" placeholder="Spring newsletter, first button" />
        <TextField
          form={form}
          field="/tags"
          label="Tags"
          placeholder="spring, print"
          help={`With commas between them.${tags.length === 0 ? '' : ` Used so far: ${tags.map(({ name }) => name).join(', ')}.`}`}
        />
        <TextArea form={form} field="/comments" label="Comments" help="At most 500 characters." />
        <SwitchField
          form={form}
          field="/archived"
          label="Archived"
          help="The link works as before. Lists leave it out unless archived links are asked for."
        />
      </FieldGroup>
    </>
  );
}

/** As visitors see it: a custom host has the same port. */
function shownHost({ link_origin, link_host }: Environment, domain: string): string {
  const { host } = new URL(link_origin);
  return domain === '' ? host : host.replace(link_host, domain);
}

function leadsNowhere(values: FieldValues, defaults: Readonly<Record<string, string | null>>): boolean {
  return PLATFORM_NAMES.every((name) => String(values[`/destinations/${name}`] ?? '').trim() === '' && defaults[name] === null);
}
