import { useDraftForm } from '../../forms/draft-form.js';
import { SwitchField, TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup, Form } from '../../forms/form.js';
import { Page } from '../../parts/page.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { PLATFORM_LABELS, PLATFORM_NAMES } from '../links/link-words.js';
import { AndroidApps, IosApps } from './apps.js';
import { settingsBody, settingsValues } from './settings-values.js';

export function Settings() {
  const { settings } = useSignedIn();
  const update = useWrite('PATCH /environment', { outdates: ['/environment'] });
  const form = useDraftForm({
    name: 'settings',
    initial: settingsValues(settings),
    submit: async (values) => {
      await update.mutateAsync({ body: settingsBody(values) });
      toast('The settings are changed. Link hosts follow within a second.');
    },
  });
  return (
    <Page title="Settings" lead={`Of the ${settings.name} environment of ${settings.project.name}.`}>
      <Form form={form} submit="Save settings" onCancel={form.changed ? form.discard : undefined}>
        <FieldGroup title="Hosts" help="The link host, the project's name and its time zone belong to the operator's command line.">
          <dl className="facts">
            <div className="fact">
              <dt>Link host</dt>
              <dd>
                <code>{settings.link_host}</code>
              </dd>
            </div>
            <div className="fact">
              <dt>Time zone</dt>
              <dd>{settings.project.time_zone}</dd>
            </div>
            <div className="fact">
              <dt>Environment</dt>
              <dd>
                <code>{settings.id}</code>
              </dd>
            </div>
          </dl>
          <TextField
            form={form}
            field="/open_host"
            label="Open host"
            help="Host of the small page that opens the app: systems open an app only from another host than the link's own."
            monospace
          />
          <SwitchField
            form={form}
            field="/interstitial"
            label="Open the app by a page"
            help="Phones on their way to a store or an app go over that page. Off, they are sent to the store directly."
          />
        </FieldGroup>
        <FieldGroup
          title="Default destinations"
          help={
            <>
              Where links lead that set none of their own. <code>{'{deep_link_path}'}</code> stands for the link's route in the app.
            </>
          }
        >
          {PLATFORM_NAMES.map((name) => (
            <TextField
              key={name}
              form={form}
              field={`/default_destinations/${name}`}
              label={PLATFORM_LABELS[name]}
              placeholder={name === 'web' ? 'https://example.com{deep_link_path}' : ''}
            />
          ))}
        </FieldGroup>
        <IosApps form={form} />
        <AndroidApps form={form} />
        <FieldGroup title="SDKs in browsers and apps">
          <TextArea
            form={form}
            field="/web_origins"
            label="Web origins"
            rows={3}
            placeholder="https://www.example.com"
            help="One a line: scheme and host, without a wildcard, and the port where it is not the usual one. Browsers elsewhere are refused."
          />
          <TextField
            form={form}
            field="/attribution_window_minutes"
            label="Attribution window, minutes"
            type="number"
            min={1}
            help="How long after a click a first open may be matched to it without a certain sign."
          />
        </FieldGroup>
      </Form>
    </Page>
  );
}
