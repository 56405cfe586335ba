import { SelectField, SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { useForm } from '../../forms/form-context.js';
import { rich } from '../../language/rich.js';
import { text, textOf } from '../../language/text.js';
import { useSignedIn } from '../../session/signed-in.js';
import { PLATFORM_LABELS, PLATFORM_NAMES } from '../links/link-words.js';
import { CHARSET, PRESETS } from './template-values.js';

interface TemplateFieldsProps {
  /** Types to choose from; null for an existing template, whose type and pattern cannot change. */
  readonly types: readonly { readonly id: string; readonly name: string }[] | null;
}

export function TemplateFields({ types }: TemplateFieldsProps) {
  const { settings } = useSignedIn();
  return (
    <>
      <FieldGroup
        title={text('Pattern')}
        help={rich(
          'The pattern has two to eight segments, one of which contains {placeholder}. Literal characters are letters, digits and {characters}. No two patterns may match one path, whatever their ids look like.',
          { placeholder: <code>{'{id}'}</code>, characters: <code>- . _ ~</code> },
        )}
      >
        {types === null ? null : (
          <SelectField
            field="/resource_type_id"
            label={text('Resource type')}
            choices={[{ value: '', label: text('Choose one') }, ...types.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        )}
        <TextField
          field="/path_pattern"
          label={text('Path pattern')}
          prefix={new URL(settings.link_origin).host}
          placeholder="/p/{id}"
          disabled={types === null}
          help={
            types === null ? text('The pattern of a template never changes.') : text('Also inside a segment: /p/item-{id}, /docs/{id}.html')
          }
          monospace
        />
        <PatternExample linkHost={new URL(settings.link_origin).host} />
      </FieldGroup>
      <FieldGroup
        title={text('Ids')}
        help={text('The format of the id in a URL. A URL with any other id returns 404, and your API is not called.')}
      >
        <IdFormatFields />
      </FieldGroup>
      <FieldGroup
        title={text('Where items lead')}
        help={rich('{first} and {second} are filled in and escaped as needed in the path, query or fragment.', {
          first: <code>{'{id}'}</code>,
          second: <code>{'{type}'}</code>,
        })}
      >
        <TextField field="/deep_link_path" label={text('Deep link path')} placeholder="/product/{id}" monospace />
        {PLATFORM_NAMES.map((name) => (
          <TextField
            key={name}
            field={`/redirects/${name}`}
            label={textOf(PLATFORM_LABELS[name])}
            placeholder={settings.default_destinations[name] ?? (name === 'web' ? 'https://shop.example.com/{type}/{id}' : '')}
          />
        ))}
      </FieldGroup>
      <FieldGroup title={text('In the app')}>
        <TextArea
          monospace
          field="/data"
          label={text('Data')}
          help={text('A JSON object. Its strings can contain placeholders.')}
          placeholder={'{ "product": "{id}" }'}
        />
        <SwitchField
          field="/allow_param_passthrough"
          label={text('Pass query parameters on')}
          help={text('Parameters of the short URL are passed to the destination and the app.')}
        />
      </FieldGroup>
    </>
  );
}

function IdFormatFields() {
  const { values } = useForm();
  return (
    <>
      <SelectField
        field="/id_format/preset"
        label={text('Format')}
        choices={[
          ...Object.entries(PRESETS).map(([value, { label, example }]) => ({ value, label: `${textOf(label)} (${example})` })),
          { value: CHARSET, label: text('Custom characters') },
        ]}
      />
      {values['/id_format/preset'] === CHARSET ? (
        <div className="field-row">
          <TextField
            field="/id_format/charset"
            label={text('Characters')}
            help={text('Characters and ranges. A literal - comes last.')}
            monospace
          />
          <TextField field="/id_format/min_length" label={text('At least')} type="number" min={1} max={256} />
          <TextField field="/id_format/max_length" label={text('At most')} type="number" min={1} max={256} />
        </div>
      ) : null}
    </>
  );
}

/** Shows the URL that an item would have with the current pattern. */
function PatternExample({ linkHost }: { readonly linkHost: string }) {
  const { values } = useForm();
  const pattern = String(values['/path_pattern']);
  const preset = String(values['/id_format/preset']);
  if (!pattern.startsWith('/') || !pattern.includes('{id}')) return null;
  const example = preset in PRESETS ? PRESETS[preset as keyof typeof PRESETS].example : 'abc';
  return (
    <p className="notice notice-info">
      <span>{text('Example URL of an item')}</span>
      <code>
        {linkHost}
        {pattern.replace('{id}', example)}
      </code>
    </p>
  );
}
