import { useState } from 'react';
import { Time } from '../../format/time.js';
import { labelled, message, text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { Row } from '../../parts/row.js';
import { Segments } from '../../parts/segments.js';
import { Empty } from '../../parts/states.js';
import { useListFilters } from '../../session/list-filters.js';
import { useRows } from '../../session/queries.js';
import { NewResourceType } from './new-resource-type.js';

const STATES = [
  { value: 'active', label: message('Active') },
  { value: 'archived', label: message('Archived') },
] as const;

const NO_FILTERS: { readonly status: (typeof STATES)[number]['value'] } = { status: 'active' };

export function ResourceTypeList() {
  const [{ status }, change] = useListFilters('/resource-types', NO_FILTERS);
  const [making, setMaking] = useState(false);
  const page = useRows('GET /resource-types', { query: { status } });
  return (
    <Page
      title={text('Resource types')}
      lead={text('The kinds of items behind your URL templates, such as products, articles or places.')}
      actions={
        <Button needs="links:write" variant="primary" onClick={() => setMaking(true)}>
          <Icon name="plus" /> {text('New type')}
        </Button>
      }
    >
      <div className="filters">
        <Segments label={text('State')} value={status} choices={labelled(STATES)} onChange={(status) => change({ status })} />
      </div>
      <Rows page={page} label={text('Resource types')} empty={<NoTypes status={status} onMake={() => setMaking(true)} />}>
        {(type) => (
          <Row to={`/resource-types/${type.id}`} title={type.name} note={<code>{type.key}</code>} status={type.status}>
            <Time at={type.created_at} relative />
          </Row>
        )}
      </Rows>
      {making ? <NewResourceType onClose={() => setMaking(false)} /> : null}
    </Page>
  );
}

function NoTypes({ status, onMake }: { readonly status: 'active' | 'archived'; readonly onMake: () => void }) {
  if (status === 'archived')
    return (
      <Empty icon="type" title={text('No type is archived')}>
        {text('Archived types keep their key and are listed here.')}
      </Empty>
    );
  return (
    <Empty
      icon="type"
      title={text('Define what you link to')}
      action={
        <Button needs="links:write" onClick={onMake}>
          {text('New type')}
        </Button>
      }
    >
      {text('One type and one URL template are enough for all your products. You do not need a link for each product.')}
    </Empty>
  );
}
