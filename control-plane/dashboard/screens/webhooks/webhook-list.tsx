import { Link } from 'wouter';
import { Time } from '../../format/time.js';
import { StatusBadge } from '../../parts/badge.js';
import { ButtonLink } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Page } from '../../parts/page.js';
import { Empty, Rows } from '../../parts/states.js';
import { useRows } from '../../session/queries.js';

export function WebhookList() {
  const page = useRows('GET /webhooks', {});
  return (
    <Page
      title="Webhooks"
      lead="Your servers are told what happens, signed, with eight attempts over two days."
      actions={
        <ButtonLink to="/webhooks/new" variant="primary">
          <Icon name="plus" /> Add endpoint
        </ButtonLink>
      }
    >
      <Rows
        page={page}
        label="Endpoints"
        empty={
          <Empty icon="webhook" title="Hear of what happens" action={<ButtonLink to="/webhooks/new">Add endpoint</ButtonLink>}>
            Give the address of a server of yours and choose events. A test event can be sent right away.
          </Empty>
        }
      >
        {(webhook) => (
          <div className="row">
            <div className="row-main">
              <div className="row-title">
                <Link href={`/webhooks/${webhook.id}`}>{webhook.url}</Link>
              </div>
              <div className="row-note">{[webhook.description, webhook.events.join(', ')].filter(Boolean).join(' · ')}</div>
            </div>
            <div className="row-side">
              {webhook.failing_since === null ? null : (
                <span>
                  failing since <Time at={webhook.failing_since} relative />
                </span>
              )}
              <StatusBadge status={webhook.status} />
            </div>
          </div>
        )}
      </Rows>
    </Page>
  );
}
