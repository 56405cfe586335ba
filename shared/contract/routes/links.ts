import { BULK_BODY_BYTES_MAX } from '../../base/limits.js';
import { linkCreateSchema, linkParamsSchema, linkPatchSchema, linkSchema } from '../schemas/link.js';
import { bulkCreateSchema, bulkResultSchema } from '../schemas/link-bulk.js';
import { linkListQuerySchema, linkPageSchema } from '../schemas/link-list.js';
import { QR_TYPES, qrBodySchema, qrQuerySchema } from '../schemas/link-qr.js';
import { linkStatsSchema } from '../schemas/link-stats.js';
import { linkTestResultSchema, linkTestSchema } from '../schemas/link-test.js';
import { statsQuerySchema } from '../schemas/stats.js';
import type { UntaggedRoute } from './route.js';
import { READ_LINKS, WRITE_LINKS } from './scopes.js';

export const LINK_ROUTES = {
  createLink: {
    method: 'POST',
    path: '/links',
    summary: 'Create a link',
    description:
      'Answers the link with its full URL, which works from then on. Destinations are stored in the serialised form of the WHATWG URL standard, so that only ASCII is ever sent. The path of a deleted link stays taken for 90 days. A path is taken, too, if the address that the link would be shown with is an alias of another link. A link that moves in may say when it was made: `created_at`, in the past.',
    scopes: WRITE_LINKS,
    body: linkCreateSchema,
    examples: {
      generated_path: { destinations: { web: 'https://example.com/spring' } },
      every_platform: {
        path: 'spring',
        deep_link_path: '/product/42',
        data: { product: 42 },
        utm_source: 'newsletter',
        allow_param_passthrough: true,
        destinations: {
          ios: 'https://apps.apple.com/app/id1',
          android: 'https://play.google.com/store/apps/details?id=com.example',
          web: 'https://example.com/spring',
        },
        expires_at: '2040-06-01T00:00:00+02:00',
      },
    },
    response: { status: 201, description: 'The link', schema: linkSchema, etag: true },
    problems: ['conflict', 'url_blocked'],
  },
  createLinks: {
    method: 'POST',
    path: '/links/bulk',
    summary: 'Create up to 1000 links',
    description:
      'Each link succeeds or fails by itself, as if they were made one after the other by `POST /links`: a path that stands twice in one call is taken for the later one (409). Answers 200 even where every link failed. Links that are made are made together, in one transaction. With `dry_run` the answer is the same and nothing is made.',
    scopes: WRITE_LINKS,
    body: bulkCreateSchema,
    bodyBytesMax: BULK_BODY_BYTES_MAX,
    items: { member: 'links', schema: linkCreateSchema },
    examples: {
      two_links: {
        links: [
          { path: 'spring', destinations: { web: 'https://example.com/spring' } },
          { deep_link_path: '/product/42', utm_source: 'print' },
        ],
      },
    },
    response: { status: 200, description: 'A result for each link', schema: bulkResultSchema },
  },
  listLinks: {
    method: 'GET',
    path: '/links',
    summary: 'List links',
    description:
      'Archived links are left out unless `archived=true`. Deleted links are listed for 90 days, by `status=deleted` alone. Filters narrow each other. A link that is changed while its list is read may appear twice or not at all if the list is sorted by what was changed.',
    scopes: READ_LINKS,
    query: linkListQuerySchema,
    response: { status: 200, description: 'A page of links', schema: linkPageSchema },
  },
  getLink: {
    method: 'GET',
    path: '/links/{link}',
    summary: 'Read a link',
    scopes: READ_LINKS,
    params: linkParamsSchema,
    response: { status: 200, description: 'The link', schema: linkSchema, etag: true },
  },
  updateLink: {
    method: 'PATCH',
    path: '/links/{link}',
    summary: 'Change a link',
    description:
      'A change emits `link.updated`, and disabling emits `link.disabled` with the reason `disabled`; a request that changes nothing emits nothing and leaves `updated_at` alone. A blocked link is judged again when its destinations change: it is active once none of them is on the block list. Until then a `status` is refused with 409. A `domain` is refused with 409 if the address of the link on it is an alias of another link.',
    scopes: WRITE_LINKS,
    params: linkParamsSchema,
    body: linkPatchSchema,
    examples: {
      disable: { status: 'disabled' },
      clear_fields: { data: null, expires_at: null, destinations: { desktop: null } },
    },
    response: { status: 200, description: 'The link after the change', schema: linkSchema, etag: true },
    problems: ['conflict', 'url_blocked'],
  },
  deleteLink: {
    method: 'DELETE',
    path: '/links/{link}',
    summary: 'Delete a link',
    description:
      'The short URL answers 410 from then on and its path stays taken for 90 days. Until then `POST /links/{link}/restore` brings the link back, and `GET /links?status=deleted` lists it. Emits `link.disabled` with the reason `deleted`, unless the link was disabled already: for a receiver a deleted link is one that no longer works. Deleting it again is 404.',
    scopes: WRITE_LINKS,
    params: linkParamsSchema,
    response: { status: 204, description: 'Deleted' },
  },
  restoreLink: {
    method: 'POST',
    path: '/links/{link}/restore',
    summary: 'Restore a deleted link',
    description:
      'Restores a deleted link with its status, aliases, tags, used clicks (`max_clicks`) and statistics. Tags that have since been deleted are missing. The link works again once this is answered. A link can be restored for 90 days, while its path and its aliases are reserved for it; later the answer is 404, as for an unknown id. A link that is not deleted is 409. So is a link whose domain was lost while it was deleted, if its address on the link host has become an alias of another link. A link that was deleted before the service noted the status of deleted links comes back `disabled`. A link that leads to a URL which has since been put on the block list comes back `blocked`, with the event `link.blocked`. Otherwise `link.updated` is emitted, with `status` in its `changed_fields`.',
    scopes: WRITE_LINKS,
    params: linkParamsSchema,
    response: { status: 200, description: 'The link, which is no longer deleted', schema: linkSchema, etag: true },
    problems: ['conflict'],
  },
  getLinkStats: {
    method: 'GET',
    path: '/links/{link}/stats',
    summary: 'Read the clicks of a link',
    description: 'Counted up to the moment `as_of`, usually a second ago. Days are the project’s, also across a change of clocks.',
    scopes: ['analytics:read', ...READ_LINKS],
    params: linkParamsSchema,
    query: statsQuerySchema,
    response: { status: 200, description: 'Clicks by day, platform, country and referrer', schema: linkStatsSchema },
  },
  testLink: {
    method: 'POST',
    path: '/links/test',
    summary: 'Try a short URL',
    description:
      'Says what a visitor of the URL gets, by the code that answers visitors: nothing is counted or stored. `trace` lists every rule that fired, in order, with what it looked at: host, path, state, visitor, campaign, destinations tried, UTM and query parameters added, the answer. A URL on a host that does not belong to the environment is `unknown_host`.',
    scopes: READ_LINKS,
    body: linkTestSchema,
    examples: {
      path: { path: '/spring', platform: 'ios' },
      url: { path: 'https://go.example.com/spring?ref=mail', user_agent: 'WhatsApp/2.23.20.0' },
    },
    response: { status: 200, description: 'What the visitor gets, and why', schema: linkTestResultSchema },
  },
  getLinkQr: {
    method: 'GET',
    path: '/links/{link}/qr',
    summary: 'Read the QR code of a link',
    description:
      'The QR code (ISO/IEC 18004) of the `url` of the link with `?qr=1` behind it, black on white with error correction M unless asked otherwise, or as the `qr_style` of the domain has it that the link is shown on. Colours that scanners would not read are refused. By `qr=1` its clicks have the `source` `qr` in `GET /stats/clicks`; a link host passes it on to no destination and no app. The client that asked may keep the image for an hour.',
    scopes: READ_LINKS,
    params: linkParamsSchema,
    query: qrQuerySchema,
    response: {
      status: 200,
      description: 'The image',
      files: [QR_TYPES.svg, QR_TYPES.png, QR_TYPES.pdf],
      cacheControl: 'private, max-age=3600',
    },
  },
  drawLinkQr: {
    method: 'POST',
    path: '/links/{link}/qr',
    summary: 'Draw the QR code of a link with a logo',
    description:
      'The same image as `GET /links/{link}/qr`, with a logo in its middle. Nothing is stored. The logo is a PNG: an SVG can hold more than a picture, so draw it as a PNG first.',
    scopes: READ_LINKS,
    params: linkParamsSchema,
    body: qrBodySchema,
    examples: {
      colours: { format: 'png', size: 1024, foreground: '#0d3b66', background: '#faf0ca', dots: 'rounded', frame_text: 'Scan me' },
      logo: {
        format: 'pdf',
        logo: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
    },
    response: { status: 200, description: 'The image', files: [QR_TYPES.svg, QR_TYPES.png, QR_TYPES.pdf] },
  },
} as const satisfies Record<string, UntaggedRoute>;
