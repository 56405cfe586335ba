import { readFileSync } from 'node:fs';
import { baseOf, getJson, SourceError } from './source-api.js';
import { addressOf, type ImportSource, namesSaid, type SourceLink, said, tagsOf, withoutAddress } from './source-link.js';

/** https://help.branch.io/developers-hub/reference/read-existing-deep-links */
interface BranchLink {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  readonly campaign?: string;
  readonly channel?: string;
  readonly feature?: string;
  readonly stage?: string;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** What Branch answers for a URL that it does not know, or not any more: the others are asked for all the same. */
const DEAD: ReadonlySet<number | null> = new Set([400, 404, 410]);

/** Branch has no list of links: their URLs come in a file, one in a line. */
export const BRANCH: ImportSource = {
  title: 'Branch: a file with the URLs, one in a line, and the key of the app',
  reads: 'api',
  async *read({ file, apiKey, baseUrl, done, ...request }) {
    const base = baseOf(baseUrl, 'https://api2.branch.io');
    const urls = readFileSync(file as string, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    for (const url of urls) {
      const id = url.replace(/^https?:\/\//, '');
      if (done.has(id)) continue;
      const query = new URLSearchParams({ url, branch_key: apiKey as string });
      yield await getJson<BranchLink>(`${base}/v1/url?${query}`, { headers: {}, ...request }).then(
        (link) => linkOf(id, url, link),
        (error: unknown) => {
          if (!(error instanceof SourceError && DEAD.has(error.status))) throw error;
          return { ...withoutAddress(error.message), id };
        },
      );
    }
  },
};

function linkOf(id: string, url: string, { data = {}, tags = [], campaign, channel, feature, stage }: BranchLink): SourceLink {
  const card = said({ title: text(data.$og_title), description: text(data.$og_description), image_url: text(data.$og_image_url) });
  const own = Object.fromEntries(Object.entries(data).filter(([name]) => !/^[$~+]/.test(name)));
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
      ...said({ utm_campaign: campaign, utm_source: channel, utm_medium: feature, tags: tagsOf(tags) }),
      ...(Object.keys(own).length === 0 ? {} : { data: own }),
      ...(Object.keys(card).length === 0 ? {} : { card }),
    },
    lost: namesSaid({ stage }),
  };
}
