import { isObject } from '../../../shared/base/issue.js';
import { unreadMembers } from './csv-rows.js';
import { baseOf, getObject, SourceError } from './source-api.js';
import { addressOf, type ImportSource, numbered, type SourceLink, said, withoutAddress } from './source-link.js';
import { SourceRow } from './source-row.js';
import { textOf } from './text-file.js';

/** https://help.branch.io/developers-hub/reference/read-existing-deep-links */
interface BranchLink {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly campaign?: string;
  readonly channel?: string;
  readonly feature?: string;
  /** 1 if the link works only once. */
  readonly type?: number;
}

const READ: ReadonlySet<string> = new Set(['data', 'tags', 'campaign', 'channel', 'feature', 'alias', 'domain', 'type']);
/** Members of `data` that are Branch's own, not the app's. */
const DATA_READ: ReadonlySet<string> = new Set([
  ...['$og_title', '$og_description', '$og_image_url', '$deeplink_path', '$fallback_url', '$desktop_url', '$canonical_url'],
  ...['$ios_url', '$android_url', '$marketing_title', '~campaign', '~channel', '~feature', '~tags'],
  // None of these affects where, when or for whom the link redirects.
  ...['~id', '~creation_source', '~marketing', '$identity_id', '$match_duration', '+url', '+click_timestamp'],
]);

/** These are false unless somebody has set them. */
const PLAIN_IF_FALSE: ReadonlySet<string> = new Set([
  ...['$one_time_use', '$web_only', '$publicly_indexable', '+clicked_branch_link', '+is_first_session', '+match_guaranteed'],
]);

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The statuses that Branch returns for a URL that it does not know, or no longer knows. The other URLs are still requested. */
const DEAD: ReadonlySet<number | null> = new Set([400, 404, 410]);

/** Branch has no list of links, so their URLs come from a file, one per line. */
export const BRANCH: ImportSource = {
  title: 'Branch: a file with one URL per line, and the key of the app',
  reads: 'file_and_api',
  async *read({ file, apiKey, baseUrl, done, onRead, ...request }) {
    const base = baseOf(baseUrl, 'https://api2.branch.io');
    const urls = (await textOf(file as string))
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    for (const [at, url] of urls.entries()) {
      onRead(at, urls.length);
      const id = url.replace(/^https?:\/\//, '');
      if (done.has(id)) continue;
      const query = new URLSearchParams({ url, branch_key: apiKey as string });
      const found = await getObject<BranchLink>(`${base}/v1/url?${query}`, { headers: {}, ...request }).then(
        (link) => linkOf(id, url, link as BranchLink),
        (error: unknown) => {
          if (!(error instanceof SourceError && DEAD.has(error.status))) throw error;
          return withoutAddress(error.message, id);
        },
      );
      yield numbered(found, at + 1);
    }
  },
};

function linkOf(id: string, url: string, link: BranchLink): SourceLink {
  const data: Readonly<Record<string, unknown>> = isObject(link.data) ? link.data : {};
  const { tags, campaign, channel, feature } = link;
  const [branchs, own] = [true, false].map((isBranchs) =>
    Object.fromEntries(Object.entries(data).filter(([name]) => /^[$~+]/.test(name) === isBranchs)),
  ) as [object, Record<string, unknown>];
  const reading = new SourceRow();
  if (link.data !== undefined && !isObject(link.data)) reading.lose('data');
  reading.lose(...unreadMembers(link, READ), ...unreadMembers(branchs, DATA_READ, PLAIN_IF_FALSE));
  // Nothing says whether the link was already used.
  if (link.type === 1) reading.shut('type');
  if (data.$one_time_use === true) reading.shut('$one_time_use');
  const card = said({ title: text(data.$og_title), description: text(data.$og_description), image_url: text(data.$og_image_url) });
  const route = text(data.$deeplink_path);
  return {
    id,
    addresses: [addressOf(url)],
    fields: {
      destinations: said({
        web: text(data.$fallback_url) ?? text(data.$desktop_url) ?? text(data.$canonical_url),
        desktop: text(data.$desktop_url),
        ios: text(data.$ios_url),
        android: text(data.$android_url),
      }),
      ...said({
        deep_link_path: route === undefined ? undefined : `/${route.replace(/^\/+/, '')}`,
        title: text(data.$marketing_title),
      }),
      ...said({
        utm_campaign: campaign ?? text(data['~campaign']),
        utm_source: channel ?? text(data['~channel']),
        utm_medium: feature ?? text(data['~feature']),
        tags: reading.tags(tags ?? data['~tags']),
      }),
      ...(Object.keys(own).length === 0 ? {} : { data: own }),
      ...(Object.keys(card).length === 0 ? {} : { card }),
    },
    ...reading.result(),
  };
}
