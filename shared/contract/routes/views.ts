import { SHARED_VIEW_BODY_BYTES_MAX, VIEWS_MAX } from '../../base/view-limits.js';
import {
  sharedViewAskedSchema,
  sharedViewSchema,
  viewCreateSchema,
  viewListQuerySchema,
  viewPageSchema,
  viewParamsSchema,
  viewPatchSchema,
  viewSchema,
  viewShareInSchema,
  viewShareSchema,
} from '../schemas/view.js';
import type { UntaggedRoute } from './route.js';

const READ = ['analytics:read'] as const;
/**
 * A view is visible to everybody and can open clicks to others. So changing one requires the right to manage links and
 * the right to read clicks.
 */
const WRITE = { scopes: ['links:write'], alsoScope: 'analytics:read' } as const;

export const VIEW_ROUTES = {
  listViews: {
    method: 'GET',
    path: '/views',
    summary: 'List views',
    scopes: READ,
    query: viewListQuerySchema,
    response: { status: 200, description: 'A page of views, newest first', schema: viewPageSchema },
  },
  createView: {
    method: 'POST',
    path: '/views',
    summary: 'Save a view',
    description: `Saves a query of \`GET /stats/clicks\` under a name. Its days may move with the calendar (\`range\`). Names are unique in an environment (409), and an environment has at most ${VIEWS_MAX} views (409).`,
    ...WRITE,
    body: viewCreateSchema,
    examples: {
      last_30_days: { name: 'Spring in Germany', range: 'last_30_days', breakdown: 'link', filters: { country: 'DE', campaign: 'spring' } },
      fixed_days: { name: 'Launch week', from: '2026-11-09', to: '2026-11-15', interval: 'hour', measure: 'unique', compare: true },
    },
    response: { status: 201, description: 'The view', schema: viewSchema, etag: true },
  },
  getView: {
    method: 'GET',
    path: '/views/{view}',
    summary: 'Read a view',
    scopes: READ,
    params: viewParamsSchema,
    response: { status: 200, description: 'The view', schema: viewSchema, etag: true },
  },
  updateView: {
    method: 'PATCH',
    path: '/views/{view}',
    summary: 'Change a view',
    description: 'Its public link shows the changed view from then on. The name of another view is refused (409).',
    ...WRITE,
    params: viewParamsSchema,
    body: viewPatchSchema,
    examples: { rename: { name: 'Spring in Austria' }, change: { range: 'this_month', filters: { country: 'AT' } } },
    response: { status: 200, description: 'The view after the change', schema: viewSchema, etag: true },
    problems: ['conflict'],
  },
  deleteView: {
    method: 'DELETE',
    path: '/views/{view}',
    summary: 'Delete a view',
    description: 'Its public link stops working too.',
    ...WRITE,
    params: viewParamsSchema,
    response: { status: 204, description: 'Deleted' },
  },
  getViewShare: {
    method: 'GET',
    path: '/views/{view}/share',
    summary: 'Read the public link of a view',
    description: 'A view that is not shared has none (404).',
    scopes: READ,
    params: viewParamsSchema,
    response: { status: 200, description: 'The public link', schema: viewShareSchema, etag: true },
  },
  shareView: {
    method: 'POST',
    path: '/views/{view}/share',
    summary: 'Share a view by a public link',
    description:
      'Anyone with the link sees the chart, the totals and the breakdown of this view, without a key, and nothing else. A view has one link at a time (409). The token is signed, and the service stores no secret for it.',
    ...WRITE,
    params: viewParamsSchema,
    body: viewShareInSchema,
    bodyOptional: true,
    examples: { with_password: { password: 'only for the board', expires_at: '2040-01-01T00:00:00Z' } },
    response: { status: 201, description: 'The public link', schema: viewShareSchema, etag: true },
  },
  updateViewShare: {
    method: 'PATCH',
    path: '/views/{view}/share',
    summary: 'Change the password or the end of a public link',
    description: 'The link stays the same. To give out another one, revoke it and share the view again.',
    ...WRITE,
    params: viewParamsSchema,
    body: viewShareInSchema,
    examples: { another_password: { password: 'for the new board' }, for_good: { expires_at: null } },
    response: { status: 200, description: 'The public link after the change', schema: viewShareSchema, etag: true },
  },
  revokeViewShare: {
    method: 'DELETE',
    path: '/views/{view}/share',
    summary: 'Revoke the public link of a view',
    description: 'The link stops working for good (404). If you share the view again, it gets another link.',
    ...WRITE,
    params: viewParamsSchema,
    response: { status: 204, description: 'Revoked' },
  },
  readSharedView: {
    method: 'POST',
    path: '/shared-view',
    summary: 'Read a shared view',
    description:
      'The page of a public link calls this operation, without a key. The token alone decides which clicks are shown. Figures may be ten seconds old. Requests are limited per address, and wrong passwords per address and view (429). The response is 404 if the view is no longer shared, the link has expired, or the token was never issued. It is 409 if the days of the view cannot be counted: they are in the future, their clicks are no longer kept, or there are too many of them. It is a POST so that the token does not appear in access logs. An `Idempotency-Key` is ignored.',
    key: 'none',
    scopes: [],
    body: sharedViewAskedSchema,
    bodyBytesMax: SHARED_VIEW_BODY_BYTES_MAX,
    examples: { with_password: { token: 'AYxTmfSr6Zr5WXEq0xHBeA', password: 'only for the board' } },
    response: { status: 200, description: 'What the view shows', schema: sharedViewSchema },
    problems: ['password_required', 'not_found', 'conflict', 'rate_limited'],
  },
} as const satisfies Record<string, UntaggedRoute>;
