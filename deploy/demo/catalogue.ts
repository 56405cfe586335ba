import type { LinkCreate } from '../../shared/sdk/server.js';

/** The contents of the demo's shop. Weights are the relative shares of clicks. */

/** Every link of the demo has this tag; links without it are somebody else's. */
export const DEMO_TAG = 'linkd-demo';

export const CAMPAIGNS = [
  { key: 'autumn_sale', name: 'Autumn sale', utmSource: 'newsletter', utmMedium: 'email', utmCampaign: 'autumn_sale' },
  { key: 'influencers', name: 'Influencers', utmSource: 'instagram', utmMedium: 'social', utmCampaign: 'influencers' },
  { key: 'store_posters', name: 'Posters in the stores', utmSource: 'poster', utmMedium: 'qr', utmCampaign: 'store_posters' },
];

export interface Weighted<Value> {
  readonly value: Value;
  readonly weight: number;
}

type LinkOfShop = Required<Pick<LinkCreate, 'path' | 'title'>> &
  Pick<LinkCreate, 'campaign' | 'card'> & { readonly tags: readonly string[] };

const link = (weight: number, path: string, title: string, tags: readonly string[], campaign?: string): Weighted<LinkOfShop> => ({
  weight,
  value: { path, title, tags: [...tags, DEMO_TAG], ...(campaign === undefined ? {} : { campaign }) },
});

const LINKS_WITHOUT_CARDS: readonly Weighted<LinkOfShop>[] = [
  link(30, 'sale', 'Autumn sale', ['sale', 'newsletter'], 'autumn_sale'),
  link(14, 'boots', 'Boots', ['sale'], 'autumn_sale'),
  link(9, 'last-chance', 'Last chance', ['sale', 'newsletter'], 'autumn_sale'),
  link(18, 'lena', 'Lena shows her runners', ['social'], 'influencers'),
  link(11, 'marco', 'Marco on the trail', ['social'], 'influencers'),
  link(7, 'poster-berlin', 'Poster, Berlin', ['print'], 'store_posters'),
  link(4, 'poster-vienna', 'Poster, Vienna', ['print'], 'store_posters'),
  link(3, 'poster-zurich', 'Poster, Zurich', ['print'], 'store_posters'),
  link(6, 'app', 'Get the app', ['app']),
  link(5, 'returns', 'Send something back', ['service']),
  link(4, 'sizes', 'Which size fits', ['service']),
  link(3, 'jobs', 'Work with us', []),
];

export const LINKS: readonly Weighted<LinkOfShop>[] = LINKS_WITHOUT_CARDS.map(({ weight, value }) => ({
  weight,
  value: {
    ...value,
    card: { title: value.title, description: 'From the demo shop.', imageUrl: null },
  },
}));

/** The share of clicks on items of the template, and the items. */
export const ITEMS_SHARE = 0.18;
export const ITEMS: readonly Weighted<string>[] = [
  { value: '1', weight: 6 },
  { value: '2', weight: 3 },
  { value: '3', weight: 1 },
];

export const COUNTRIES: readonly Weighted<string>[] = [
  { value: 'DE', weight: 46 },
  { value: 'AT', weight: 14 },
  { value: 'CH', weight: 11 },
  { value: 'FR', weight: 8 },
  { value: 'NL', weight: 6 },
  { value: 'GB', weight: 5 },
  { value: 'US', weight: 4 },
  { value: 'PL', weight: 3 },
  { value: 'ES', weight: 3 },
];

export const REFERRERS: readonly Weighted<string>[] = [
  { value: '', weight: 55 },
  { value: 'https://www.instagram.com/', weight: 18 },
  { value: 'https://www.google.com/', weight: 11 },
  { value: 'https://t.co/', weight: 6 },
  { value: 'https://www.facebook.com/', weight: 6 },
  { value: 'https://news.example.com/shoes', weight: 4 },
];

export const PEOPLE: readonly Weighted<string>[] = [
  ...['17_6_1', '18_1', '18_2'].map((version) => ({
    weight: 15,
    value: `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version.split('_')[0]}.0 Mobile/15E148 Safari/604.1`,
  })),
  ...['130', '131'].map((version) => ({
    weight: 16,
    value: `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`,
  })),
  {
    weight: 14,
    value: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  },
  {
    weight: 6,
    value: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  },
  { weight: 3, value: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' },
];

export const BOTS_SHARE = 0.07;
export const BOTS: readonly Weighted<string>[] = [
  { value: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', weight: 5 },
  { value: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', weight: 3 },
  { value: 'curl/8.5.0', weight: 1 },
];

/** By weekday, starting on Sunday, and by hour, starting at midnight. */
export const WEEKDAYS = [0.85, 1, 1.05, 1.05, 1.1, 1.25, 1];
export const HOURS = [2, 1, 1, 1, 1, 2, 4, 7, 8, 7, 7, 8, 10, 9, 7, 7, 8, 10, 12, 14, 15, 13, 9, 5];
