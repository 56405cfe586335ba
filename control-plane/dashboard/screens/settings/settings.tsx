import { useDraftForm } from '../../forms/draft-form.js';
import { SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup, Form } from '../../forms/form.js';
import { changedMembers } from '../../forms/merge.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { rich } from '../../language/rich.js';
import { text, textOf } from '../../language/text.js';
import { Fact } from '../../parts/fact.js';
import { Page } from '../../parts/page.js';
import { toast } from '../../parts/toasts.js';
import { environmentWord } from '../../session/environment-words.js';
import { useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { PLATFORM_LABELS, PLATFORM_NAMES } from '../links/link-words.js';
import { AndroidApps, IosApps } from './apps.js';
import { BrandFields } from './brand-fields.js';
import { settingsBody, settingsValues } from './settings-values.js';

export function Settings() {
  const { settings } = useSignedIn();
  const update = useWrite('PATCH /environment', { outdates: ['/environment'] });
  const form = useDraftForm({
    name: 'settings',
    ...useSavedObject('GET /environment', {}, settings, settingsValues),
    submit: async (values, { base, ifMatch }) => {
      await update.mutateAsync({ body: changedMembers(settingsBody(base), settingsBody(values)), ifMatch });
      toast(text('The settings were changed. Link hosts use them within a second.'));
    },
  });
  return (
    <Page
      title={text('Settings')}
      lead={text('Settings of the {environment} environment of {project}.', {
        environment: environmentWord(settings.name),
        project: settings.project.name,
      })}
    >
      <Form form={form} submit={text('Save settings')} onCancel={form.changed ? form.discard : undefined} bar>
        <FieldGroup
          title={text('Hosts')}
          help={text("The operator sets the link host, the project's name and its time zone on the command line.")}
        >
          <dl className="facts">
            <Fact label={text('Link host')}>
              <code>{settings.link_host}</code>
            </Fact>
            <Fact label={text('Time zone')}>{settings.project.time_zone}</Fact>
            <Fact label={text('Environment')}>
              <code>{settings.id}</code>
            </Fact>
          </dl>
          <TextField
            field="/open_host"
            label={text('Open host')}
            help={text("The host of the page that opens the app. Systems open an app only from a host other than the link's own.")}
            monospace
          />
          <SwitchField
            field="/interstitial"
            label={text('Open the app through a page')}
            help={text('Phones go to a store or an app through that page. If this is off, they go to the store directly.')}
          />
        </FieldGroup>
        <FieldGroup
          title={text('Default destinations')}
          help={rich("Used by links that have no destinations of their own. {placeholder} is replaced by the link's route in the app.", {
            placeholder: <code>{'{deep_link_path}'}</code>,
          })}
        >
          {PLATFORM_NAMES.map((name) => (
            <TextField
              key={name}
              field={`/default_destinations/${name}`}
              label={textOf(PLATFORM_LABELS[name])}
              placeholder={name === 'web' ? 'https://example.com{deep_link_path}' : ''}
            />
          ))}
        </FieldGroup>
        <BrandFields projectName={settings.project.name} />
        <IosApps />
        <AndroidApps />
        <FieldGroup
          title={text('Long links')}
          help={rich('Links with the destination in their query, as in Firebase Dynamic Links: {address} on a link host.', {
            address: <code>/?link=https://…</code>,
          })}
        >
          <TextArea
            monospace
            field="/long_link_hosts"
            label={text('Hosts they may lead to')}
            rows={3}
            placeholder="www.example.com"
            help={text(
              'One host per line. A long link to any other host shows a page that says that the link does not exist. Without hosts, long links are off.',
            )}
          />
          <TextField
            field="/long_link_path"
            label={text('Counted for the link')}
            monospace
            help={text('Path of one of your links. Clicks on long links count for it, and its rules and its state apply to all of them.')}
          />
        </FieldGroup>
        <FieldGroup title={text('SDKs in browsers and apps')}>
          <SwitchField
            field="/append_click_id"
            label={text('Send the click id to web destinations')}
            help={rich('Adds {parameter} to their query. The SDK on such a page sends it with purchases there.', {
              parameter: <code>click_id</code>,
            })}
          />
          <TextArea
            monospace
            field="/web_origins"
            label={text('Web origins')}
            rows={3}
            placeholder="https://www.example.com"
            help={text(
              'One origin per line: scheme, host, and the port if it is not the default. Wildcards are not allowed. Browsers on other origins are refused.',
            )}
          />
          <TextField
            field="/attribution_window_minutes"
            label={text('Attribution window (minutes)')}
            type="number"
            min={1}
            help={text('How long after a click a first open can be matched to it by network and device.')}
          />
        </FieldGroup>
      </Form>
    </Page>
  );
}
