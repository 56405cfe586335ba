import type { ComponentType } from 'react';
import type { DraftForm } from '../../forms/draft-form.js';
import { ControlField, SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { text, textOf } from '../../language/text.js';
import { useRows } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { CampaignChoice, useCampaign } from './campaign-choice.js';
import type { LinkPart } from './link-parts.js';
import { PLATFORM_LABELS, UTM_LABELS, UTM_NAMES } from './link-words.js';
import { RulesFields } from './rules-fields.js';

interface PartProps {
  readonly form: DraftForm;
}

/** The fields of one part of the form of a link. */
export function PartFields({ part, form }: PartProps & { readonly part: LinkPart }) {
  const Fields = FIELDS[part];
  return <Fields form={form} />;
}

const FIELDS: Readonly<Record<LinkPart, ComponentType<PartProps>>> = {
  platforms: PlatformFields,
  campaign: CampaignFields,
  rules: RulesFields,
  card: CardFields,
  app: AppFields,
  aliases: AliasFields,
  tags: TeamFields,
  comments: CommentFields,
};

const OTHER_PLATFORMS = ['ios', 'android', 'desktop', 'fallback'] as const;

function PlatformFields({ form }: PartProps) {
  const { settings } = useSignedIn();
  return (
    <FieldGroup
      title={text('Per platform')}
      help={text(
        "An empty field takes the environment's default, shown in grey. A phone without a destination of its own takes the fallback, and then the destination above.",
      )}
    >
      <div className="field-row">
        {OTHER_PLATFORMS.map((name) => (
          <TextField
            key={name}
            form={form}
            field={`/destinations/${name}`}
            label={textOf(PLATFORM_LABELS[name])}
            type="url"
            placeholder={settings.default_destinations[name] ?? ''}
          />
        ))}
      </div>
    </FieldGroup>
  );
}

function CampaignFields({ form }: PartProps) {
  const chosen = String(form.values['/campaign']);
  const campaign = useCampaign(chosen);
  return (
    <FieldGroup
      title={text('Campaign and UTM')}
      help={text("Added to web destinations that do not set these fields. The link's fields override those of its campaign.")}
    >
      <ControlField
        form={form}
        field="/campaign"
        label={text('Campaign')}
        control={(wiring) => (
          <CampaignChoice {...wiring} value={chosen} none={text('None')} onChoose={(key) => form.set('/campaign', key)} />
        )}
      />
      <div className="field-row">
        {UTM_NAMES.map((name) => (
          <TextField key={name} form={form} field={`/${name}`} label={textOf(UTM_LABELS[name])} placeholder={campaign?.[name] ?? ''} />
        ))}
      </div>
      <SwitchField
        form={form}
        field="/allow_param_passthrough"
        label={text('Pass query parameters on')}
        help={text('Parameters added to the short URL are stored with the click and reach the destination and the app.')}
      />
    </FieldGroup>
  );
}

function CardFields({ form }: PartProps) {
  const { settings } = useSignedIn();
  return (
    <FieldGroup
      title={text('Preview card')}
      help={text('What chats and social networks show of the link. Leave it empty, and they show the card of the web destination.')}
    >
      <TextField form={form} field="/card/title" label={text('Title')} placeholder={settings.project.name} />
      <TextField form={form} field="/card/description" label={text('Description')} />
      <TextField form={form} field="/card/image_url" label={text('Image')} type="url" placeholder="https://example.com/spring.png" />
    </FieldGroup>
  );
}

function AppFields({ form }: PartProps) {
  return (
    <FieldGroup title={text('App data')} help={text('Data that the app receives when the link opens it.')}>
      <TextField form={form} field="/deep_link_path" label={text('Deep link path')} placeholder="/" monospace />
      <TextArea
        form={form}
        field="/data"
        label={text('Data')}
        help={text('A JSON object, at most 4 KB.')}
        placeholder={'{ "product": 42 }'}
      />
    </FieldGroup>
  );
}

function AliasFields({ form }: PartProps) {
  const { settings } = useSignedIn();
  return (
    <FieldGroup
      title={text('Aliases')}
      help={text('Other addresses that lead to this link, one in a line: your link host or a domain of yours, and any path.')}
    >
      <TextArea form={form} field="/aliases" label={text('Aliases')} rows={2} placeholder={`${settings.link_host}/sale/2027.html`} />
    </FieldGroup>
  );
}

function TeamFields({ form }: PartProps) {
  const tags = useRows('GET /tags', {}).rows;
  return (
    <FieldGroup title={text('Name and tags')} help={text('How you find the link again. Visitors and apps see none of it.')}>
      <TextField form={form} field="/title" label={text('Name')} placeholder={text('Spring newsletter, first button')} />
      <TextField
        form={form}
        field="/tags"
        label={text('Tags')}
        placeholder={text('spring, print')}
        help={[
          text('With commas between them.'),
          ...(tags.length === 0 ? [] : [text('Used so far: {tags}.', { tags: tags.map(({ name }) => name).join(', ') })]),
        ].join(' ')}
      />
      <SwitchField
        form={form}
        field="/archived"
        label={text('Archived')}
        help={text('The link works as before. Lists leave it out unless archived links are asked for.')}
      />
    </FieldGroup>
  );
}

function CommentFields({ form }: PartProps) {
  return (
    <FieldGroup title={text('Comments')} help={text('Notes for your team. At most 500 characters.')}>
      <TextArea form={form} field="/comments" label={text('Comments')} />
    </FieldGroup>
  );
}
