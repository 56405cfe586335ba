import {
  campaignCreateSchema,
  campaignListQuerySchema,
  campaignPageSchema,
  campaignParamsSchema,
  campaignPatchSchema,
  campaignSchema,
} from '../schemas/campaign.js';
import { campaignStatsSchema } from '../schemas/campaign-stats.js';
import { statsQuerySchema } from '../schemas/stats.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const CAMPAIGN_ROUTES = {
  listCampaigns: {
    method: 'GET',
    path: '/campaigns',
    summary: 'List campaigns',
    scopes: READ_LINKS,
    query: campaignListQuerySchema,
    response: { status: 200, description: 'A page of campaigns, newest first', schema: campaignPageSchema },
  },
  createCampaign: {
    method: 'POST',
    path: '/campaigns',
    summary: 'Create a campaign',
    description:
      'A link that names the campaign takes from it every UTM field that it does not set itself, at each visit: a changed campaign changes all its links at once. Its dates say nothing about its links, which work and take the fields before it starts and after it ends. A key is taken for good (409). Emits `campaign.created`.',
    scopes: WRITE_LINKS,
    body: campaignCreateSchema,
    examples: {
      newsletter: {
        key: 'spring',
        name: 'Spring newsletter',
        utm_source: 'newsletter',
        utm_medium: 'email',
        utm_campaign: 'spring',
        ends_at: '2040-06-01T00:00:00+02:00',
      },
    },
    response: { status: 201, description: 'The campaign', schema: campaignSchema, etag: true },
  },
  getCampaign: {
    method: 'GET',
    path: '/campaigns/{campaign}',
    summary: 'Read a campaign',
    scopes: READ_LINKS,
    params: campaignParamsSchema,
    response: { status: 200, description: 'The campaign', schema: campaignSchema, etag: true },
  },
  updateCampaign: {
    method: 'PATCH',
    path: '/campaigns/{campaign}',
    summary: 'Change a campaign',
    description:
      'Emits `campaign.ended` where the change ends it; one that ends by its `ends_at` is told of within seconds. A campaign whose `ends_at` has passed is taken up again only together with another `ends_at` (else 409).',
    scopes: WRITE_LINKS,
    params: campaignParamsSchema,
    body: campaignPatchSchema,
    examples: { end: { status: 'ended' }, change_fields: { utm_medium: 'print', ends_at: null } },
    response: { status: 200, description: 'The campaign after the change', schema: campaignSchema, etag: true },
    problems: ['conflict'],
  },
  getCampaignStats: {
    method: 'GET',
    path: '/campaigns/{campaign}/stats',
    summary: 'Read the clicks of a campaign',
    description:
      'Clicks of links that named the campaign when they were clicked on, counted up to the moment `as_of`, usually a second ago. A link that moves to another campaign leaves its earlier clicks with the one they were made for. Days are the project’s, also across a change of clocks.',
    scopes: ['analytics:read', ...READ_LINKS],
    params: campaignParamsSchema,
    query: statsQuerySchema,
    response: { status: 200, description: 'Clicks by day, platform, country, referrer and link', schema: campaignStatsSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
