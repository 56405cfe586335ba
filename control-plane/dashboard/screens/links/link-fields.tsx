import { useState } from 'react';
import type { Environment } from '../../../../shared/contract/schemas/environment.js';
import type { FieldValues } from '../../forms/field-values.js';
import { SelectField, TextField } from '../../forms/fields.js';
import { useForm } from '../../forms/form-context.js';
import { text, textOf } from '../../language/text.js';
import { Icon } from '../../parts/icon.js';
import { statusWord } from '../../parts/status-words.js';
import { useAllRows } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { PartFields } from './link-part-fields.js';
import { LINK_PARTS, PART_NAMES, partId, useLinkParts } from './link-parts.js';
import { PLATFORM_NAMES } from './link-words.js';

interface LinkFieldsProps {
  /** Whether the link is new. The path cannot be changed later. */
  readonly isNew: boolean;
}

/** The destination comes first, then the address. Everything else is behind a button until it is needed. */
export function LinkFields({ isNew }: LinkFieldsProps) {
  const { settings } = useSignedIn();
  const form = useForm();
  const parts = useLinkParts(form);
  return (
    <>
      <div className="stack builder-main">
        <TextField
          field="/destinations/web"
          label={text('Destination')}
          type="url"
          placeholder={settings.default_destinations.web ?? 'https://example.com/spring'}
          help={text('The URL that visitors get. Other platforms can have destinations of their own.')}
        />
        {(form.changed || !isNew) && leadsNowhere(form.values, settings) ? (
          <p className="notice notice-warn">
            {text(
              'This link has no destination, and the environment has no default: visitors see a page with the name of your app, or on a phone its page in the store.',
            )}
          </p>
        ) : null}
        <ShortUrlFields isNew={isNew} />
      </div>
      <fieldset className="part-chips">
        <legend className="quiet">{text('Add to the link')}</legend>
        {PART_NAMES.map((part) => (
          <button
            key={part}
            type="button"
            className={parts.isSet(part) ? 'part-chip part-chip-set' : 'part-chip'}
            aria-expanded={parts.isOpen(part)}
            aria-controls={partId(part)}
            onClick={() => parts.toggle(part)}
          >
            <Icon name={parts.isSet(part) ? 'check' : parts.isOpen(part) ? 'close' : 'plus'} />
            {textOf(LINK_PARTS[part].label)}
            {parts.isSet(part) ? <span className="visually-hidden">{text(': set')}</span> : null}
          </button>
        ))}
      </fieldset>
      {PART_NAMES.map((part) => (
        <div key={part} id={partId(part)} hidden={!parts.isOpen(part)}>
          {parts.isOpen(part) ? <PartFields part={part} /> : null}
        </div>
      ))}
    </>
  );
}

function ShortUrlFields({ isNew }: LinkFieldsProps) {
  const { values } = useForm();
  const { settings } = useSignedIn();
  const domains = useAllRows('GET /domains', {}).rows;
  // A link keeps a domain that is no longer verified, but such a domain cannot be newly chosen.
  const [kept] = useState(() => String(values['/domain'] ?? ''));
  const chosen = String(values['/domain'] ?? '');
  // The domain of a draft may have been removed meanwhile. Without its choice, nobody would see what the API refuses.
  const lost = chosen === '' || domains.some(({ hostname }) => hostname === chosen) ? [] : [{ value: chosen, label: chosen }];
  const verified = domains.flatMap(({ hostname, status }) => {
    if (status === 'verified') return [{ value: hostname, label: hostname }];
    return hostname === kept ? [{ value: hostname, label: `${hostname} (${statusWord(status)})` }] : [];
  });
  const choices = [...lost, ...verified];
  return (
    <div className="field-row">
      {choices.length === 0 ? null : (
        <SelectField field="/domain" label={text('Domain')} choices={[{ value: '', label: settings.link_host }, ...choices]} />
      )}
      <TextField
        field="/path"
        label={text('Path')}
        prefix={`${shownHost(settings, chosen)}/`}
        placeholder={text('generated')}
        help={
          isNew
            ? text('Letters, digits, - and _. If this is empty, a path of seven characters is generated.')
            : text('The path of a link never changes.')
        }
        disabled={!isNew}
        monospace
      />
    </div>
  );
}

/** The host as visitors see it. A custom host uses the same port. */
export function shownHost({ link_origin, link_host }: Environment, domain: string): string {
  const { host } = new URL(link_origin);
  return domain === '' ? host : host.replace(link_host, domain);
}

function leadsNowhere(values: FieldValues, { default_destinations: defaults }: Environment): boolean {
  return PLATFORM_NAMES.every((name) => String(values[`/destinations/${name}`] ?? '').trim() === '' && defaults[name] === null);
}
