import { Time } from '../../format/time.js';
import { rich } from '../../language/rich.js';
import { text } from '../../language/text.js';
import { ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { Rows } from '../../parts/paged.js';
import { Row } from '../../parts/row.js';
import { Empty } from '../../parts/states.js';
import { useRows } from '../../session/queries.js';
import { ENDPOINT_REFRESH_MS, endpointState } from './endpoint-state.js';

export function WebhookList() {
  const page = useRows('GET /webhooks', {}, { refreshMs: ENDPOINT_REFRESH_MS });
  return (
    <Page
      title={text('Webhooks')}
      lead={text('Signed messages that tell your servers about events. Each has up to eight attempts over two days.')}
      actions={
        <ButtonLink needs="webhooks:write" to="/webhooks/new" variant="primary">
          <Icon name="plus" /> {text('Add endpoint')}
        </ButtonLink>
      }
    >
      <Rows
        page={page}
        label={text('Endpoints')}
        empty={
          <Empty
            icon="webhook"
            title={text('Receive webhooks')}
            action={
              <ButtonLink needs="webhooks:write" to="/webhooks/new">
                {text('Add endpoint')}
              </ButtonLink>
            }
          >
            {text('Enter the URL of your server and choose events. You can send a test event immediately.')}
          </Empty>
        }
      >
        {(webhook) => (
          <Row
            to={`/webhooks/${webhook.id}`}
            title={webhook.url}
            note={[webhook.description, webhook.events.join(', ')].filter(Boolean).join(' · ')}
            status={endpointState(webhook)}
          >
            {webhook.failing_since === null ? null : (
              <span>{rich('first failed {time}', { time: <Time at={webhook.failing_since} relative /> })}</span>
            )}
          </Row>
        )}
      </Rows>
    </Page>
  );
}
