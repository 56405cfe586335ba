import { baseOf, getJson } from './source-api.js';
import { addressOf, clicksOf, type ImportSource, instantOf, namesSaid, said } from './source-link.js';

/** https://docs.kutt.it, "Get list of links" */
interface KuttLink {
  readonly address: string;
  readonly link: string;
  readonly target: string;
  readonly description?: string | null;
  readonly created_at?: string;
  readonly expire_in?: string | null;
  readonly password?: boolean;
  readonly banned?: boolean;
  readonly visit_count?: number;
}

const PAGE = 50;

export const KUTT: ImportSource = {
  title: 'Kutt: an API key of the server',
  reads: 'api',
  selfHosted: true,
  async *read({ apiKey, baseUrl, interrupted, onWait }) {
    const base = baseOf(baseUrl, '');
    for (let skip = 0; ; skip += PAGE) {
      const url = `${base}/api/v2/links?limit=${PAGE}&skip=${skip}`;
      const { data } = await getJson<{ data: readonly KuttLink[] }>(url, {
        headers: { 'x-api-key': apiKey as string },
        interrupted,
        onWait,
      });
      for (const { address, link, target, description, created_at, expire_in, password, banned, visit_count } of data) {
        const { host } = addressOf(link);
        yield {
          id: `${host ?? ''}/${address}`,
          addresses: [{ host, path: address }],
          fields: {
            destinations: { web: target },
            ...said({ comments: description?.slice(0, 500), created_at: instantOf(created_at), expires_at: instantOf(expire_in) }),
          },
          ...clicksOf(visit_count),
          lost: namesSaid({ password, banned }),
        };
      }
      if (data.length < PAGE) return;
    }
  },
};
