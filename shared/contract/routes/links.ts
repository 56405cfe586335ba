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
      'Returns the link with its full URL, which works from then on. Destinations are stored in the serialised form of the WHATWG URL standard, so that only ASCII is ever sent. The path of a deleted link stays taken for 90 days. A path is also taken if the resulting address is an alias of another link. For a link that you import from elsewhere, set `created_at` to the time in the past at which it was created.',
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
      'Each link succeeds or fails on its own, as if you created them one after the other by `POST /links`: if a path appears twice in one call, it is taken for the later link (409). The status is 200 even if every link failed. All links that succeed are created in one transaction. With `dry_run` the response is the same and nothing is created.',
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
      'Archived links are left out unless `archived=true`. Deleted links are listed for 90 days, with `status=deleted` only. A link has to match all filters. If the list is sorted by a field that changes while you read the pages, a link may appear twice or not at all.',
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
      'A change emits `link.updated`, and disabling emits `link.disabled` with the reason `disabled`. A request that changes nothing emits nothing and does not change `updated_at`. When the destinations of a blocked link change, they are checked again: the link is active once none of them is on the block list. Until then a `status` is refused with 409. A `domain` is refused with 409 if the address of the link on it is an alias of another link.',
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
      'The short URL returns 410 as soon as the call returns, and its path stays taken for 90 days. During that time `POST /links/{link}/restore` brings the link back, and `GET /links?status=deleted` lists it. Emits `link.disabled` with the reason `deleted`. Deleting the link again is 404.',
    scopes: WRITE_LINKS,
    params: linkParamsSchema,
    response: { status: 204, description: 'Deleted' },
  },
  restoreLink: {
    method: 'POST',
    path: '/links/{link}/restore',
    summary: 'Restore a deleted link',
    description:
      'Restores a deleted link with its status, aliases, tags, used clicks (`max_clicks`) and statistics. Tags that have been deleted in the meantime are missing. The link works again as soon as the call returns. A link can be restored for 90 days, while its path and its aliases are reserved for it. After that the response is 404, as for an unknown id. A link that is not deleted is 409. A link whose domain was removed or failed while the link was deleted is 409 too, if its address on the link host has become an alias of another link. A link that was deleted by a release which did not store the status comes back `disabled`. A link whose destination has been put on the block list in the meantime comes back `blocked`, with the event `link.blocked`. Otherwise `link.updated` is emitted, with `status` in its `changed_fields`.',
    scopes: WRITE_LINKS,
    params: linkParamsSchema,
    response: { status: 200, description: 'The link, which is no longer deleted', schema: linkSchema, etag: true },
    problems: ['conflict'],
  },
  getLinkStats: {
    method: 'GET',
    path: '/links/{link}/stats',
    summary: 'Read the clicks of a link',
    description:
      'Counted up to `as_of`, which is usually a second ago. Days are those of the project’s time zone, also when clocks change.',
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
      'Returns what a visitor of the URL gets, from the same code that serves visitors. Nothing is counted or stored. `trace` lists every rule that applied, in order, with its inputs: host, path, state, visitor, campaign, destinations tried, UTM and query parameters added, and the result. A URL on a host that does not belong to the environment is `unknown_host`.',
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
      'The QR code (ISO/IEC 18004) of the `url` of the link with `?qr=1` appended. By default it is black on white with error correction M, or has the `qr_style` of the domain that the link is shown on. Colours that scanners cannot read are refused. Clicks with `qr=1` have the `source` `qr` in `GET /stats/clicks`; link hosts do not pass the parameter on to destinations or apps. The client may cache the image for an hour.',
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
      'The same image as `GET /links/{link}/qr`, with a logo in its middle. Nothing is stored. The logo must be a PNG. Convert an SVG to PNG first: an SVG may contain more than an image, such as scripts.',
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
