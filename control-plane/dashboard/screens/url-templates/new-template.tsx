import type { UrlTemplateCreate } from '../../../../shared/contract/schemas/url-template.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { Form } from '../../forms/form.js';
import { text } from '../../language/text.js';
import { ButtonLink } from '../../parts/button.js';
import { useLeave } from '../../parts/leave.js';
import { Page } from '../../parts/page.js';
import { Empty, Failure, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useAllRows, useWrite } from '../../session/queries.js';
import { TemplateFields } from './template-fields.js';
import { templateBody, templateValues } from './template-values.js';
import { useTemplateWarnings } from './template-warnings.js';

export function NewTemplate({ resourceTypeId = '' }: { readonly resourceTypeId?: string }) {
  const { rows, query } = useAllRows('GET /resource-types', {});
  return (
    <Page title={text('New URL template')} back={{ to: '/url-templates', label: text('URL templates') }}>
      {query.isPending ? (
        <Loading lines={8} />
      ) : query.isError && rows.length === 0 ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : rows.length === 0 ? (
        <Empty
          icon="type"
          title={text('Create a resource type first')}
          action={<ButtonLink to="/resource-types">{text('Open resource types')}</ButtonLink>}
        >
          {text('Every template belongs to a resource type.')}
        </Empty>
      ) : (
        <NewTemplateForm types={rows} resourceTypeId={resourceTypeId} />
      )}
    </Page>
  );
}

interface NewTemplateFormProps {
  readonly types: readonly { readonly id: string; readonly name: string }[];
  readonly resourceTypeId: string;
}

function NewTemplateForm({ types, resourceTypeId }: NewTemplateFormProps) {
  const navigate = useLeave();
  const [, setWarnings] = useTemplateWarnings();
  const create = useWrite('POST /url-templates', { outdates: ['/url-templates'] });
  const only = types.length === 1 ? (types[0]?.id ?? '') : '';
  const form = useDraftForm({
    name: 'url-template/new',
    initial: templateValues(null, resourceTypeId || only),
    submit: async (values) => {
      const body = {
        ...templateBody(values),
        resource_type_id: String(values['/resource_type_id']),
        path_pattern: String(values['/path_pattern']).trim(),
      } as UrlTemplateCreate;
      const { id, path_pattern: pattern, warnings } = await create.mutateAsync({ body });
      setWarnings({ id, warnings });
      toast(text('{pattern} works from now on.', { pattern }));
      navigate(`/url-templates/${id}`);
    },
  });
  return (
    <Form form={form} submit={text('Create template')} onCancel={() => navigate('/url-templates')} bar>
      <TemplateFields types={types} />
    </Form>
  );
}
