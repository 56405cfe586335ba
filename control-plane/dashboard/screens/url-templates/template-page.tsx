import { useState } from 'react';
import type { UrlTemplate } from '../../../../shared/contract/schemas/url-template.js';
import { tagOf } from '../../api/client.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { Form } from '../../forms/form.js';
import { changedMembers } from '../../forms/merge.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { rich } from '../../language/rich.js';
import { text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { CopyField } from '../../parts/copy.js';
import { Confirm } from '../../parts/dialog.js';
import { Card, Page } from '../../parts/page.js';
import { FailedScreen, Failure, Loading } from '../../parts/states.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useLeftList } from '../../session/list-filters.js';
import { useRead, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { cardWords, webOf } from '../links/card-words.js';
import { TemplateFields } from './template-fields.js';
import { PRESETS, templateBody, templateValues } from './template-values.js';
import { TemplateWarnings, useTemplateWarnings } from './template-warnings.js';
import { UrlTester } from './url-tester.js';

export function TemplatePage({ id }: { readonly id: string }) {
  const template = useRead('GET /url-templates/{template}', { params: { template: id } });
  if (template.isPending) return <Loading lines={8} />;
  if (template.data === undefined)
    return <FailedScreen title={text('URL templates')} error={template.error} onRetry={() => void template.refetch()} />;
  return <LoadedTemplate template={template.data} />;
}

function LoadedTemplate({ template }: { readonly template: UrlTemplate }) {
  const [warned, setWarned] = useTemplateWarnings();
  const list = useLeftList('/url-templates');
  const archived = template.status === 'archived';
  return (
    <Page
      title={template.path_pattern}
      back={{ to: list, label: text('URL templates') }}
      badge={<StatusBadge status={template.status} />}
      lead={rich('Items of type {resourceType}', { resourceType: <code>{template.resource_type}</code> })}
      actions={archived ? undefined : <TemplateActions template={template} />}
    >
      <div className="stack">
        <CopyField text={template.url_example} label={text('Copy the example')} />
        <TemplateWarnings warnings={warned?.id === template.id ? warned.warnings : []} />
        <Card title={text('Try a URL')}>
          <UrlTester name={template.id} path={exampleOf(template)} />
        </Card>
        <PreviewCard template={template} />
        {archived ? null : <EditTemplate template={template} onWarnings={(warnings) => setWarned({ id: template.id, warnings })} />}
      </div>
    </Page>
  );
}

/** What chats show for the items of the template. */
function PreviewCard({ template: { resource_type_id: type, redirects } }: { readonly template: UrlTemplate }) {
  const { settings } = useSignedIn();
  const api = useRead('GET /resource-types/{type}/metadata-api', { params: { type } });
  if (api.isPending) return null;
  if (api.data === undefined && api.error.code !== 'not_found')
    return (
      <Card title={text('Preview card')}>
        <Failure error={api.error} onRetry={() => void api.refetch()} />
      </Card>
    );
  const ofItems = api.data?.status === 'active';
  return (
    <Card title={text('Preview card')}>
      <p className="muted">
        {ofItems
          ? text('The card of each item, from the metadata API.')
          : cardWords({ isProtected: false, web: webOf(redirects, settings.default_destinations) })}
      </p>
    </Card>
  );
}

function exampleOf({ path_pattern: pattern, id_format: format }: UrlTemplate): string {
  return pattern.replace('{id}', format.kind === 'preset' ? PRESETS[format.preset].example : '');
}

interface EditTemplateProps {
  readonly template: UrlTemplate;
  readonly onWarnings: (warnings: Parameters<typeof TemplateWarnings>[0]['warnings']) => void;
}

function EditTemplate({ template, onWarnings }: EditTemplateProps) {
  const update = useWrite('PATCH /url-templates/{template}', { outdates: ['/url-templates'] });
  const form = useDraftForm({
    name: `url-template/${template.id}`,
    ...useSavedObject('GET /url-templates/{template}', { params: { template: template.id } }, template, (saved) =>
      templateValues(saved, saved.resource_type_id),
    ),
    submit: async (values, { base, ifMatch }) => {
      const body = changedMembers(templateBody(base), templateBody(values));
      const { warnings } = await update.mutateAsync({ params: { template: template.id }, body, ifMatch });
      onWarnings(warnings);
      toast(text('The template was changed.'));
    },
  });
  return (
    <Form form={form} submit={text('Save changes')} onCancel={form.changed ? form.discard : undefined} bar>
      <TemplateFields types={null} />
    </Form>
  );
}

function changedWords(pattern: string, status: UrlTemplate['status']): string {
  if (status === 'archived') return text('{pattern} is archived.', { pattern });
  return status === 'active' ? text('{pattern} is active.', { pattern }) : text('{pattern} is disabled.', { pattern });
}

function TemplateActions({ template }: { readonly template: UrlTemplate }) {
  const [asking, setAsking] = useState(false);
  const update = useWrite('PATCH /url-templates/{template}', {
    outdates: ['/url-templates'],
    onDone: ({ path_pattern: pattern, status }) => {
      setAsking(false);
      toast(changedWords(pattern, status));
    },
  });
  const change = (status: UrlTemplate['status']) =>
    update.mutateAsync({ params: { template: template.id }, body: { status }, ifMatch: tagOf(template) });
  const next = template.status === 'active' ? 'disabled' : 'active';
  return (
    <>
      <Button needs="links:write" busy={update.isPending} onClick={() => change(next).catch(toastFailure)}>
        {template.status === 'active' ? text('Disable') : text('Enable')}
      </Button>
      <Button needs="links:write" variant="danger" onClick={() => setAsking(true)}>
        {text('Archive')}
      </Button>
      {asking ? (
        <Confirm
          title={text('Archive {pattern}?', { pattern: template.path_pattern })}
          confirm={text('Archive permanently')}
          onConfirm={() => change('archived')}
          onClose={() => setAsking(false)}
        >
          <p>{text('Its URLs stop working, and another template can use the pattern. You cannot undo this.')}</p>
        </Confirm>
      ) : null}
    </>
  );
}
