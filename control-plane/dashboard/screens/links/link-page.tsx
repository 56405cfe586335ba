import { useState } from 'react';
import type { Link } from '../../../../shared/contract/schemas/link.js';
import { tagOf } from '../../api/client.js';
import { exactCount } from '../../format/numbers.js';
import { rich } from '../../language/rich.js';
import { text, textOf } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { CardGallery } from '../../parts/card-gallery.js';
import { CopyField } from '../../parts/copy.js';
import { Confirm } from '../../parts/dialog.js';
import { Fact, TimeFact } from '../../parts/fact.js';
import { useLeave } from '../../parts/leave.js';
import { Card, Page } from '../../parts/page.js';
import { CodeBlock } from '../../parts/scrolling.js';
import { useShortcut } from '../../parts/shortcuts.js';
import { FailedScreen, Loading } from '../../parts/states.js';
import { toast, toastFailure } from '../../parts/toasts.js';
import { useLeftList } from '../../session/list-filters.js';
import { useRead, useWrite } from '../../session/queries.js';
import { useMay, useSignedIn } from '../../session/signed-in.js';
import { analyticsOf } from '../analytics/asked.js';
import { cardWords, webOf } from './card-words.js';
import { LinkFigures } from './link-figures.js';
import { LinkTester } from './link-tester.js';
import { PLATFORM_LABELS, PLATFORM_NAMES, UTM_NAMES } from './link-words.js';
import { aliasesText, geoText } from './listed.js';
import { QrDialog } from './qr-dialog.js';
import { useSwitchLink } from './switch-link.js';
import { Tags } from './tags.js';

export function LinkPage({ id }: { readonly id: string }) {
  const link = useRead('GET /links/{link}', { params: { link: id } });
  const list = useLeftList('/links');
  if (link.isPending) return <Loading lines={8} />;
  if (link.data === undefined) return <FailedScreen title={text('Links')} error={link.error} onRetry={() => void link.refetch()} />;
  return (
    <Page
      title={link.data.path}
      back={{ to: list, label: text('Links') }}
      badge={<StatusBadge status={link.data.archived ? 'archived' : link.data.status} />}
      actions={<LinkActions link={link.data} />}
    >
      <div className="stack">
        <CopyField text={link.data.url} label={text('Copy the short URL')} />
        <LinkFigures id={id} />
        <Card title={text('Destinations')}>
          <LinkFacts link={link.data} />
        </Card>
        <Card title={text('Try it')}>
          <LinkTester path={`/${link.data.path}`} />
        </Card>
      </div>
    </Page>
  );
}

/** Deletes the link, leaves its page, and offers to restore it. */
function useRemoval(link: Link) {
  const navigate = useLeave();
  const list = useLeftList('/links');
  const restore = useWrite('POST /links/{link}/restore', {
    outdates: ['/links'],
    onDone: () => toast(text('{url} was restored.', { url: link.url })),
    onFailed: toastFailure,
  });
  return useWrite('DELETE /links/{link}', {
    outdates: ['/links'],
    onDone: () => {
      const undo = () => restore.mutate({ params: { link: link.id } });
      toast(text('{url} was deleted.', { url: link.url }), 'good', { label: text('Undo'), run: undo });
      navigate(list);
    },
  });
}

function LinkActions({ link }: { readonly link: Link }) {
  const navigate = useLeave();
  const [shown, setShown] = useState<'qr' | 'delete' | null>(null);
  const { timeZone } = useSignedIn();
  const switchLink = useSwitchLink(link);
  useShortcut('e', text('Edit the link'), () => navigate(`/links/${link.id}/edit`), { offered: useMay('links:write') });
  useShortcut('q', text('QR code of the link'), () => setShown('qr'));
  const remove = useRemoval(link);
  return (
    <>
      <ButtonLink needs="analytics:read" to={analyticsOf({ link: link.id }, timeZone)}>
        {text('Analytics')}
      </ButtonLink>
      <Button onClick={() => setShown('qr')} shortcut="q">
        {text('QR code')}
      </Button>
      {link.status === 'blocked' ? null : (
        <Button needs="links:write" onClick={switchLink}>
          {link.status === 'disabled' ? text('Enable') : text('Disable')}
        </Button>
      )}
      <Button needs="links:write" variant="danger" onClick={() => setShown('delete')}>
        {text('Delete')}
      </Button>
      <ButtonLink needs="links:write" to={`/links/${link.id}/edit`} variant="primary" shortcut="e">
        {text('Edit')}
      </ButtonLink>
      {shown === 'qr' ? <QrDialog link={link} onClose={() => setShown(null)} /> : null}
      {shown === 'delete' ? (
        <Confirm
          title={text('Delete {path}?', { path: link.path })}
          confirm={text('Delete link')}
          onConfirm={() => remove.mutateAsync({ params: { link: link.id }, ifMatch: tagOf(link) })}
          onClose={() => setShown(null)}
        >
          <p>
            {rich(
              '{url} stops working at once, and its path stays taken for 90 days. To switch the link off only for a while, disable it instead.',
              { url: <strong>{link.url}</strong> },
            )}
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

function LinkFacts({ link }: { readonly link: Link }) {
  const { default_destinations } = useSignedIn().settings;
  const utm = UTM_NAMES.filter((name) => link[name] !== null).map((name) => `${name}=${link[name]}`);
  return (
    <dl className="facts">
      {PLATFORM_NAMES.map((name) => (
        <Fact key={name} label={textOf(PLATFORM_LABELS[name])}>
          {link.destinations[name] ?? (
            <span className="muted">{default_destinations[name] === null ? text('not set') : text("the environment's default")}</span>
          )}
        </Fact>
      ))}
      <Fact label={text('In the app')}>
        <code>{link.deep_link_path}</code>
      </Fact>
      <Fact label={text('Preview card')}>
        <PreviewCard link={link} />
      </Fact>
      {link.data === null ? null : (
        <Fact label={text('Data')}>
          <CodeBlock label={text('Data')}>{JSON.stringify(link.data, null, 2)}</CodeBlock>
        </Fact>
      )}
      {link.campaign === null ? null : <Fact label={text('Campaign')}>{link.campaign}</Fact>}
      {utm.length === 0 ? null : <Fact label="UTM">{utm.join(' · ')}</Fact>}
      <Fact label={text('Query parameters')}>{link.allow_param_passthrough ? text('are passed on') : text('are ignored')}</Fact>
      <RuleFacts link={link} />
      {link.aliases.length === 0 ? null : (
        <Fact label={text('Aliases')}>
          <span className="lines">{aliasesText(link.aliases)}</span>
        </Fact>
      )}
      {link.title === null ? null : <Fact label={text('Name')}>{link.title}</Fact>}
      {link.tags.length === 0 ? null : (
        <Fact label={text('Tags')}>
          <span className="tags">
            <Tags names={link.tags} />
          </span>
        </Fact>
      )}
      {link.comments === null ? null : (
        <Fact label={text('Comments')}>
          <span className="lines">{link.comments}</span>
        </Fact>
      )}
      <TimeFact label={text('Created')} at={link.created_at} />
      {link.created_by === null ? null : <Fact label={text('Created by')}>{link.created_by}</Fact>}
    </dl>
  );
}

/** When, where, how often and for whom the link works. */
function RuleFacts({ link }: { readonly link: Link }) {
  return (
    <>
      <TimeFact label={text('Works from')} at={link.active_from} />
      <TimeFact label={text('Expires')} at={link.expires_at} />
      {link.max_clicks === null ? null : <Fact label={text('Click limit')}>{exactCount(link.max_clicks)}</Fact>}
      {link.has_password ? <Fact label={text('Password')}>{text('required')}</Fact> : null}
      {link.geo === null ? null : (
        <Fact label={text('By country')}>
          <span className="lines">{geoText(link.geo)}</span>
        </Fact>
      )}
      {link.interstitial === null ? null : (
        <Fact label={text('Page that opens the app')}>{link.interstitial ? text('shown on phones') : text('not shown on phones')}</Fact>
      )}
    </>
  );
}

function PreviewCard({ link: { card, destinations, url, has_password, max_clicks } }: { readonly link: Link }) {
  const { settings } = useSignedIn();
  if (card !== null)
    return (
      <CardGallery
        content={{ ...card, title: card.title ?? settings.project.name, large_image: card.image_url !== null, host: new URL(url).host }}
      />
    );
  const web = webOf(destinations, settings.default_destinations);
  return <span className="muted">{cardWords({ isProtected: has_password || max_clicks !== null, web })}</span>;
}
