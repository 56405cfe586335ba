import { ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Rows } from '../../parts/states.js';
import { useAllRows, useRows } from '../../session/queries.js';
import { useStickyState } from '../../session/sticky-state.js';
import { TemplateRow } from './template-row.js';
import { UrlTester } from './url-tester.js';

const STATES = { '': 'Active and disabled', active: 'Active', disabled: 'Disabled', archived: 'Archived' } as const;

export function TemplateList() {
  const [filters, setFilters] = useStickyState<{ status: keyof typeof STATES; type: string }>('url-templates/filters', {
    status: '',
    type: '',
  });
  const types = useAllRows('GET /resource-types', {}).rows;
  const page = useRows('GET /url-templates', {
    query: {
      ...(filters.status === '' ? {} : { status: filters.status }),
      ...(filters.type === '' ? {} : { resource_type_id: filters.type }),
    },
  });
  return (
    <Page
      title="URL templates"
      lead="One pattern covers all items of a type. You make no link for each item."
      actions={
        <ButtonLink to="/url-templates/new" variant="primary">
          <Icon name="plus" /> New template
        </ButtonLink>
      }
    >
      <div className="filters">
        <label>
          State
          <select
            value={filters.status}
            onChange={(event) => setFilters({ ...filters, status: event.target.value as keyof typeof STATES })}
          >
            {Object.entries(STATES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Resource type
          <select value={filters.type} onChange={(event) => setFilters({ ...filters, type: event.target.value })}>
            <option value="">All</option>
            {types.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="stack">
        <Rows
          page={page}
          label="URL templates"
          empty={
            <Empty
              icon="template"
              title="Share every item by one pattern"
              action={<ButtonLink to="/url-templates/new">New template</ButtonLink>}
            >
              <code>/p/{'{id}'}</code> turns <code>/p/42</code> into the page of product 42, in the app or on the web.
            </Empty>
          }
        >
          {(template) => <TemplateRow template={template} />}
        </Rows>
        <Card title="Try a URL">
          <UrlTester name="any" path="" />
        </Card>
      </div>
    </Page>
  );
}
