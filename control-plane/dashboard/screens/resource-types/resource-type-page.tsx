import { useState } from 'react';
import type { ResourceType } from '../../../../shared/contract/schemas/resource-type.js';
import { tagOf } from '../../api/client.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { rich } from '../../language/rich.js';
import { text, textOf } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Confirm, Dialog } from '../../parts/dialog.js';
import { Fact } from '../../parts/fact.js';
import { Card, Page } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { Empty, FailedScreen, Failure, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useLeftList } from '../../session/list-filters.js';
import { useRead, useRows, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { analyticsOf } from '../analytics/asked.js';
import { MAPPED_FIELDS, MAPPED_LABELS } from '../metadata-api/metadata-values.js';
import { TemplateRow } from '../url-templates/template-row.js';

export function ResourceTypePage({ id }: { readonly id: string }) {
  const list = useLeftList('/resource-types');
  const type = useRead('GET /resource-types/{type}', { params: { type: id } });
  if (type.isPending) return <Loading lines={8} />;
  if (type.data === undefined)
    return <FailedScreen title={text('Resource types')} error={type.error} onRetry={() => void type.refetch()} />;
  return (
    <Page
      title={type.data.name}
      lead={<code>{type.data.key}</code>}
      back={{ to: list, label: text('Resource types') }}
      badge={<StatusBadge status={type.data.status} />}
      actions={type.data.status === 'active' ? <TypeActions type={type.data} /> : undefined}
    >
      <div className="stack">
        <Templates type={type.data} />
        <MetadataApiCard type={type.data} />
      </div>
    </Page>
  );
}

function TypeActions({ type }: { readonly type: ResourceType }) {
  const [shown, setShown] = useState<'rename' | 'archive' | null>(null);
  const archive = useWrite('PATCH /resource-types/{type}', {
    outdates: ['/resource-types', '/url-templates'],
    onDone: () => {
      setShown(null);
      toast(text('{name} is archived.', { name: type.name }));
    },
  });
  const { timeZone } = useSignedIn();
  return (
    <>
      <ButtonLink needs="analytics:read" to={analyticsOf({ resource_type: type.key }, timeZone, 'item')}>
        {text('Analytics')}
      </ButtonLink>
      <Button needs="links:write" onClick={() => setShown('rename')}>
        {text('Rename')}
      </Button>
      <Button needs="links:write" variant="danger" onClick={() => setShown('archive')}>
        {text('Archive')}
      </Button>
      {shown === 'rename' ? <Rename type={type} onClose={() => setShown(null)} /> : null}
      {shown === 'archive' ? (
        <Confirm
          title={text('Archive {name}?', { name: type.name })}
          confirm={text('Archive permanently')}
          onConfirm={() => archive.mutateAsync({ params: { type: type.id }, body: { status: 'archived' }, ifMatch: tagOf(type) })}
          onClose={() => setShown(null)}
        >
          <p>
            {rich('Its templates stop resolving, and their patterns and the key {key} cannot be used again. You cannot undo this.', {
              key: <code>{type.key}</code>,
            })}
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

function Rename({ type, onClose }: { readonly type: ResourceType; readonly onClose: () => void }) {
  const update = useWrite('PATCH /resource-types/{type}', { outdates: ['/resource-types'] });
  const form = useDraftForm({
    name: `resource-type/${type.id}`,
    ...useSavedObject('GET /resource-types/{type}', { params: { type: type.id } }, type, ({ name }) => ({ '/name': name })),
    submit: async (values, { ifMatch }) => {
      await update.mutateAsync({ params: { type: type.id }, body: { name: String(values['/name']).trim() }, ifMatch });
      onClose();
    },
  });
  return (
    <Dialog title={text('Rename')} onClose={onClose}>
      <Form form={form} submit={text('Rename')} onCancel={onClose}>
        <TextField field="/name" label={text('Name')} required />
      </Form>
    </Dialog>
  );
}

function Templates({ type }: { readonly type: ResourceType }) {
  const page = useRows('GET /url-templates', { query: { resource_type_id: type.id } });
  const add = (
    <ButtonLink needs="links:write" to={`/url-templates/new/${type.id}`}>
      {text('New template')}
    </ButtonLink>
  );
  return (
    <Card title={text('URL templates')} actions={type.status === 'active' ? add : null}>
      <Rows
        page={page}
        label={text('URL templates')}
        empty={
          <Empty icon="template" title={text('No template yet')}>
            {rich('A pattern such as {pattern} makes a short URL of every item.', { pattern: <code>/p/{'{id}'}</code> })}
          </Empty>
        }
      >
        {(template) => <TemplateRow template={template} ofType />}
      </Rows>
    </Card>
  );
}

function MetadataApiCard({ type }: { readonly type: ResourceType }) {
  const api = useRead('GET /resource-types/{type}/metadata-api', { params: { type: type.id } });
  const to = `/resource-types/${type.id}/metadata-api`;
  if (api.isPending) return <Card title={text('Metadata API')}>{<Loading lines={2} />}</Card>;
  if (api.data === undefined)
    return (
      <Card title={text('Metadata API')}>
        {api.error.code === 'not_found' ? (
          <Empty
            icon="type"
            title={text('Chats show the card of the web page')}
            action={
              <ButtonLink needs="links:write" to={to}>
                {text('Set up the metadata API')}
              </ButtonLink>
            }
          >
            {text('Set up the API that returns the title, description and image of an item. Chats show them when somebody shares a URL.')}
          </Empty>
        ) : (
          <Failure error={api.error} onRetry={() => void api.refetch()} />
        )}
      </Card>
    );
  const { field_mapping } = api.data;
  const mapped = MAPPED_FIELDS.filter((field) => field_mapping[field] !== undefined);
  return (
    <Card title={text('Metadata API')} actions={<ButtonLink to={to}>{text('Edit and test')}</ButtonLink>}>
      <dl className="facts">
        <Fact label={text('State')}>
          <StatusBadge status={api.data.status} />
        </Fact>
        <Fact label={text('URL')}>
          <code>{api.data.url_template}</code>
        </Fact>
        <Fact label={text('Mapped')}>{mapped.map((field) => textOf(MAPPED_LABELS[field])).join(', ') || text('nothing')}</Fact>
      </dl>
    </Card>
  );
}
