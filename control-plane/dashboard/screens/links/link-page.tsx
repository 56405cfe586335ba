import { useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { exactCount } from '../../format/numbers.js';
import { Time } from '../../format/time.js';
import { StatusBadge } from '../../parts/badge.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { CardGallery } from '../../parts/card-gallery.js';
import { CopyField } from '../../parts/copy.js';
import { Confirm } from '../../parts/dialog.js';
import { Fact } from '../../parts/fact.js';
import { useLeave } from '../../parts/leave.js';
import { Card, Page } from '../../parts/page.js';
import { CodeBlock } from '../../parts/scrolling.js';
import { useShortcut } from '../../parts/shortcuts.js';
import { Failure, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useRead, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { analyticsOf } from '../analytics/asked.js';
import { LinkFigures } from './link-figures.js';
import { LinkTester } from './link-tester.js';
import { PLATFORM_LABELS, PLATFORM_NAMES, UTM_NAMES } from './link-words.js';
import { useListAddress } from './list-state.js';
import { aliasesText, geoText } from './listed.js';
import { QrDialog } from './qr-dialog.js';
import { useSwitchLink } from './switch-link.js';
import { Tags } from './tags.js';

export function LinkPage({ id }: { readonly id: string }) {
  const link = useRead('GET /links/{link}', { params: { link: id } });
  const list = useListAddress();
  if (link.isPending) return <Loading lines={8} />;
  if (link.data === undefined) return <Failure error={link.error} onRetry={() => void link.refetch()} />;
  return (
    <Page
      title={link.data.path}
      back={{ to: list, label: 'Links' }}
      badge={<StatusBadge status={link.data.archived ? 'archived' : link.data.status} />}
      actions={<LinkActions link={link.data} />}
    >
      <div className="stack">
        <CopyField text={link.data.url} label="Copy the short URL" />
        <LinkFigures id={id} />
        <Card title="Destinations">
          <LinkFacts link={link.data} />
        </Card>
        <Card title="Try it">
          <LinkTester path={`/${link.data.path}`} />
        </Card>
      </div>
    </Page>
  );
}

function LinkActions({ link }: { readonly link: Link }) {
  const navigate = useLeave();
  const [shown, setShown] = useState<'qr' | 'delete' | null>(null);
  const { timeZone } = useSignedIn();
  const list = useListAddress();
  const switchLink = useSwitchLink(link);
  useShortcut('e', 'Edit the link', () => navigate(`/links/${link.id}/edit`));
  useShortcut('q', 'QR code of the link', () => setShown('qr'));
  const remove = useWrite('DELETE /links/{link}', {
    outdates: ['/links'],
    onDone: () => {
      toast(`${link.url} is deleted.`);
      navigate(list);
    },
  });
  return (
    <>
      <ButtonLink to={analyticsOf({ link: link.id }, timeZone)}>Analytics</ButtonLink>
      <Button onClick={() => setShown('qr')} shortcut="q">
        QR code
      </Button>
      {link.status === 'blocked' ? null : <Button onClick={switchLink}>{link.status === 'disabled' ? 'Enable' : 'Disable'}</Button>}
      <Button variant="danger" onClick={() => setShown('delete')}>
        Delete
      </Button>
      <ButtonLink to={`/links/${link.id}/edit`} variant="primary" shortcut="e">
        Edit
      </ButtonLink>
      {shown === 'qr' ? <QrDialog link={link} onClose={() => setShown(null)} /> : null}
      {shown === 'delete' ? (
        <Confirm
          title={`Delete ${link.path}?`}
          confirm="Delete link"
          busy={remove.isPending}
          error={remove.error?.message ?? null}
          onConfirm={() => remove.mutate({ params: { link: link.id } })}
          onClose={() => setShown(null)}
        >
          <p>
            <strong>{link.url}</strong> stops working at once, and its path stays taken for 90 days. To take it off the air for a while,
            disable it instead.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

function LinkFacts({ link }: { readonly link: Link }) {
  const utm = UTM_NAMES.filter((name) => link[name] !== null).map((name) => `${name}=${link[name]}`);
  return (
    <dl className="facts">
      {PLATFORM_NAMES.map((name) => (
        <Fact key={name} label={PLATFORM_LABELS[name]}>
          {link.destinations[name] ?? <span className="muted">the environment's default</span>}
        </Fact>
      ))}
      <Fact label="In the app">
        <code>{link.deep_link_path}</code>
      </Fact>
      <Fact label="Preview card">
        <PreviewCard link={link} />
      </Fact>
      {link.data === null ? null : (
        <Fact label="Data">
          <CodeBlock label="Data">{JSON.stringify(link.data, null, 2)}</CodeBlock>
        </Fact>
      )}
      {link.campaign === null ? null : <Fact label="Campaign">{link.campaign}</Fact>}
      {utm.length === 0 ? null : <Fact label="UTM">{utm.join(' · ')}</Fact>}
      <Fact label="Query parameters">{link.allow_param_passthrough ? 'are passed on' : 'are ignored'}</Fact>
      <RuleFacts link={link} />
      {link.aliases.length === 0 ? null : (
        <Fact label="Aliases">
          <span className="lines">{aliasesText(link.aliases)}</span>
        </Fact>
      )}
      {link.title === null ? null : <Fact label="Name">{link.title}</Fact>}
      {link.tags.length === 0 ? null : (
        <Fact label="Tags">
          <span className="tags">
            <Tags names={link.tags} />
          </span>
        </Fact>
      )}
      {link.comments === null ? null : (
        <Fact label="Comments">
          <span className="lines">{link.comments}</span>
        </Fact>
      )}
      <Fact label="Created">
        <Time at={link.created_at} />
      </Fact>
    </dl>
  );
}

/** When, where, how often and for whom it leads. */
function RuleFacts({ link }: { readonly link: Link }) {
  return (
    <>
      {link.active_from === null ? null : (
        <Fact label="Works from">
          <Time at={link.active_from} />
        </Fact>
      )}
      {link.expires_at === null ? null : (
        <Fact label="Expires">
          <Time at={link.expires_at} />
        </Fact>
      )}
      {link.max_clicks === null ? null : <Fact label="Clicks at most">{exactCount(link.max_clicks)}</Fact>}
      {link.has_password ? <Fact label="Password">is asked for</Fact> : null}
      {link.geo === null ? null : (
        <Fact label="By country">
          <span className="lines">{geoText(link.geo)}</span>
        </Fact>
      )}
      {link.interstitial === null ? null : (
        <Fact label="Page that opens the app">{link.interstitial ? 'phones go over it' : 'phones do not go over it'}</Fact>
      )}
    </>
  );
}

function PreviewCard({ link: { card, destinations, url } }: { readonly link: Link }) {
  const { settings } = useSignedIn();
  if (card !== null)
    return (
      <CardGallery
        content={{ ...card, title: card.title ?? settings.project.name, large_image: card.image_url !== null, host: new URL(url).host }}
      />
    );
  const { web, fallback } = settings.default_destinations;
  const page = destinations.web ?? web ?? destinations.fallback ?? fallback;
  return (
    <span className="muted">
      {page === null
        ? 'A generic card: the link has no web destination.'
        : 'That of the web destination: preview bots are redirected to it.'}
    </span>
  );
}
