import { rich } from '../../language/rich.js';
import { labelled, message, text } from '../../language/text.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card, Page } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { LabelledSelect } from '../../parts/select.js';
import { Empty } from '../../parts/states.js';
import { useListFilters } from '../../session/list-filters.js';
import { useAllRows, useRows } from '../../session/queries.js';
import { TemplateRow } from './template-row.js';
import { UrlTester } from './url-tester.js';

const STATES = [
  { value: '', label: message('Not archived') },
  { value: 'active', label: message('Active') },
  { value: 'disabled', label: message('Disabled') },
  { value: 'archived', label: message('Archived') },
] as const;

interface TemplateFilters {
  readonly status: (typeof STATES)[number]['value'];
  readonly type: string;
}

const NO_FILTERS: TemplateFilters = { status: '', type: '' };

export function TemplateList() {
  const [filters, change] = useListFilters<TemplateFilters>('/url-templates', NO_FILTERS);
  const filtered = filters.status !== '' || filters.type !== '';
  const types = useAllRows('GET /resource-types', {}).rows;
  const page = useRows('GET /url-templates', {
    query: {
      ...(filters.status === '' ? {} : { status: filters.status }),
      ...(filters.type === '' ? {} : { resource_type_id: filters.type }),
    },
  });
  return (
    <Page
      title={text('URL templates')}
      lead={text('One pattern is enough for all items of a type. You do not need a link for each item.')}
      actions={
        <ButtonLink needs="links:write" to="/url-templates/new" variant="primary">
          <Icon name="plus" /> {text('New template')}
        </ButtonLink>
      }
    >
      <div className="filters">
        <LabelledSelect label={text('State')} value={filters.status} choices={labelled(STATES)} onChange={(status) => change({ status })} />
        <LabelledSelect
          label={text('Resource type')}
          value={filters.type}
          choices={[{ value: '', label: text('All') }, ...types.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={(type) => change({ type })}
        />
      </div>
      <div className="stack">
        <Rows
          page={page}
          label={text('URL templates')}
          empty={
            filtered ? (
              <NoMatch onClear={() => change(NO_FILTERS)} />
            ) : (
              <Empty
                icon="template"
                title={text('Share every item with one pattern')}
                action={
                  <ButtonLink needs="links:write" to="/url-templates/new">
                    {text('New template')}
                  </ButtonLink>
                }
              >
                {rich('{pattern} turns {url} into the page of product 42, in the app or on the web.', {
                  pattern: <code>/p/{'{id}'}</code>,
                  url: <code>/p/42</code>,
                })}
              </Empty>
            )
          }
        >
          {(template) => <TemplateRow template={template} />}
        </Rows>
        <Card title={text('Try a URL')}>
          <UrlTester name="any" path="" />
        </Card>
      </div>
    </Page>
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty icon="search" title={text('No template matches')} action={<Button onClick={onClear}>{text('Clear the filters')}</Button>}>
      {text('No template of this type is in this state.')}
    </Empty>
  );
}
