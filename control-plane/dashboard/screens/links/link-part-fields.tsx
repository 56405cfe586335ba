import type { ComponentType } from 'react';
import { ControlField, SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { useForm } from '../../forms/form-context.js';
import { text, textOf } from '../../language/text.js';
import { useRows } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { CampaignChoice, useCampaign } from './campaign-choice.js';
import type { LinkPart } from './link-parts.js';
import { PLATFORM_LABELS, UTM_LABELS, UTM_NAMES } from './link-words.js';
import { RulesFields } from './rules-fields.js';

/** The fields of one part of the form of a link. */
export function PartFields({ part }: { readonly part: LinkPart }) {
  const Fields = FIELDS[part];
  return <Fields />;
}

const FIELDS: Readonly<Record<LinkPart, ComponentType>> = {
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

function PlatformFields() {
  const { settings } = useSignedIn();
  return (
    <FieldGroup
      title={text('Per platform')}
      help={text(
        "For an empty field the environment's default applies, shown in grey. A phone without its own destination gets the fallback, or else the destination above.",
      )}
    >
      <div className="field-row">
        {OTHER_PLATFORMS.map((name) => (
          <TextField
            key={name}
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

function CampaignFields() {
  const form = useForm();
  const chosen = String(form.values['/campaign']);
  const campaign = useCampaign(chosen);
  return (
    <FieldGroup
      title={text('Campaign and UTM')}
      help={text(
        "Added to web destinations that do not set these fields themselves. The link's fields take precedence over those of its campaign.",
      )}
    >
      <ControlField
        field="/campaign"
        label={text('Campaign')}
        control={(wiring) => (
          <CampaignChoice {...wiring} value={chosen} none={text('None')} onChoose={(key) => form.set('/campaign', key)} />
        )}
      />
      <div className="field-row">
        {UTM_NAMES.map((name) => (
          <TextField key={name} field={`/${name}`} label={textOf(UTM_LABELS[name])} placeholder={campaign?.[name] ?? ''} />
        ))}
      </div>
      <SwitchField
        field="/allow_param_passthrough"
        label={text('Pass query parameters on')}
        help={text('Parameters of the short URL are stored with the click and passed to the destination and the app.')}
      />
    </FieldGroup>
  );
}

function CardFields() {
  const { settings } = useSignedIn();
  return (
    <FieldGroup
      title={text('Preview card')}
      help={text('What chats and social networks show for the link. If this is empty, they show the card of the web destination.')}
    >
      <TextField field="/card/title" label={text('Title')} placeholder={settings.project.name} />
      <TextField field="/card/description" label={text('Description')} />
      <TextField field="/card/image_url" label={text('Image')} type="url" placeholder="https://example.com/spring.png" />
    </FieldGroup>
  );
}

function AppFields() {
  return (
    <FieldGroup title={text('App data')} help={text('Data that the app receives when the link opens it.')}>
      <TextField field="/deep_link_path" label={text('Deep link path')} placeholder="/" monospace />
      <TextArea
        monospace
        field="/data"
        label={text('Data')}
        help={text('A JSON object, at most 4 KB.')}
        placeholder={'{ "product": 42 }'}
      />
    </FieldGroup>
  );
}

function AliasFields() {
  const { settings } = useSignedIn();
  return (
    <FieldGroup
      single
      title={text('Aliases')}
      help={text('Other addresses that lead to this link, one per line: your link host or one of your domains, and any path.')}
    >
      <TextArea monospace field="/aliases" label={text('Aliases')} rows={2} placeholder={`${settings.link_host}/sale/2027.html`} />
    </FieldGroup>
  );
}

function TeamFields() {
  const { rows, query } = useRows('GET /tags', {});
  const tags = rows.map(({ name }) => name).join(', ');
  const used = query.hasNextPage ? text('Used so far, among others: {tags}.', { tags }) : text('Used so far: {tags}.', { tags });
  return (
    <FieldGroup title={text('Name and tags')} help={text('For finding the link again. Visitors and apps do not see them.')}>
      <TextField field="/title" label={text('Name')} placeholder={text('Spring newsletter, first button')} />
      <TextField
        field="/tags"
        label={text('Tags')}
        placeholder={text('spring, print')}
        help={[text('Separated by commas.'), ...(rows.length === 0 ? [] : [used])].join(' ')}
      />
      <SwitchField
        field="/archived"
        label={text('Archived')}
        help={text('The link keeps working. Lists show it only if you choose archived links.')}
      />
    </FieldGroup>
  );
}

function CommentFields() {
  return (
    <FieldGroup single title={text('Comments')} help={text('Notes for your team. At most 500 characters.')}>
      <TextArea field="/comments" label={text('Comments')} />
    </FieldGroup>
  );
}
