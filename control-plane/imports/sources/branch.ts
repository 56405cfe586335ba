import { Reading } from './reading.js';
import { baseOf, getJson } from './source-api.js';
import { addressOf, type ImportSource, namesSaid, said } from './source-link.js';
import { textOf } from './text-file.js';

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

/** Branch has no list of links: their URLs come in a file, one in a line. */
export const BRANCH: ImportSource = {
  title: 'Branch: a file with the URLs, one in a line, and the key of the app',
  reads: 'api',
  async *read({ file, apiKey, baseUrl, interrupted }) {
    const base = baseOf(baseUrl, 'https://api2.branch.io');
    const urls = (await textOf(file as string))
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    for (const url of urls) {
      const query = new URLSearchParams({ url, branch_key: apiKey as string });
      const {
        data = {},
        tags,
        campaign,
        channel,
        feature,
        stage,
      } = await getJson<BranchLink>(`${base}/v1/url?${query}`, { headers: {}, interrupted });
      const reading = new Reading();
      reading.lose(...namesSaid({ stage }));
      const card = said({ title: text(data.$og_title), description: text(data.$og_description), image_url: text(data.$og_image_url) });
      const own = Object.fromEntries(Object.entries(data).filter(([name]) => !/^[$~+]/.test(name)));
      const route = text(data.$deeplink_path);
      yield {
        id: url.replace(/^https?:\/\//, ''),
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
          ...said({ utm_campaign: campaign, utm_source: channel, utm_medium: feature, tags: reading.tags(tags) }),
          ...(Object.keys(own).length === 0 ? {} : { data: own }),
          ...(Object.keys(card).length === 0 ? {} : { card }),
        },
        ...reading.result(),
      };
    }
  },
};
