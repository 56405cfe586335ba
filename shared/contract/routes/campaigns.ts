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
      'A link of the campaign uses the UTM fields of the campaign for those that it does not set itself. They are read at each visit, so a change of the campaign takes effect for all its links at once. The dates of a campaign do not affect its links: the links work, and use the UTM fields, before the campaign starts and after it ends. A key can never be used again (409). Emits `campaign.created`.',
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
      'Emits `campaign.ended` if the change ends the campaign. When a campaign ends at its `ends_at`, the event is emitted within seconds. To reactivate a campaign whose `ends_at` has passed, set another `ends_at` in the same request (else 409).',
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
      'Clicks of links that belonged to the campaign when they were clicked on, counted up to `as_of`, which is usually a second ago. If a link moves to another campaign, its earlier clicks stay with the campaign that it had then. Days are those of the project’s time zone, also when clocks change.',
    scopes: ['analytics:read', ...READ_LINKS],
    params: campaignParamsSchema,
    query: statsQuerySchema,
    response: { status: 200, description: 'Clicks by day, platform, country, referrer and link', schema: campaignStatsSchema },
  },
} as const satisfies Record<string, UntaggedRoute>;
