import { SDK_BODY_BYTES_MAX } from '../../base/limits.js';
import { linkSchema } from '../schemas/link.js';
import { sdkLinkCreateSchema, sdkOpenResultSchema, sdkOpenSchema, sdkResolvedSchema, sdkResolveSchema } from '../schemas/sdk.js';
import { trackedEventCreateSchema, trackedEventSchema } from '../schemas/tracked-event.js';
import type { UntaggedRoute } from './route.js';

/** A note for browsers that applies to every row of this file. */
const BROWSERS =
  'A browser may call this only from a web origin of the environment: any other `Origin` is 403 `origin_not_allowed`. A preflight request carries no key and is allowed for every origin. A request without `Origin` comes from an app and is allowed. Requests are limited per address (IPv6: per /64), not per key.';

const device = { os: 'ios', os_version: '17.5.1', model: 'iPhone15,2', language: 'de-DE', timezone: 'Europe/Berlin', screen: '1179x2556' };

export const SDK_ROUTES = {
  createSdkLink: {
    method: 'POST',
    path: '/sdk/links',
    summary: 'Create a link from an app',
    description: `The path is generated, the host is the environment's link host, and the link leads to the environment's default destinations. No field of the request decides where it leads. ${BROWSERS}`,
    key: 'publishable',
    scopes: [],
    body: sdkLinkCreateSchema,
    bodyBytesMax: SDK_BODY_BYTES_MAX,
    examples: { share: { deep_link_path: '/product/42', data: { product: 42 } } },
    response: { status: 201, description: 'The link', schema: linkSchema, location: false },
  },
  resolveSdkUrl: {
    method: 'POST',
    path: '/sdk/resolve',
    summary: 'Resolve a URL that opened the app',
    description: `Returns what the app should show for a link or for an item of a URL template, from the same code that serves visitors. Nothing is counted. The response is 404 if the URL has another host, belongs to nothing, or belongs to a link or template that leads nowhere now; \`detail\` says why. ${BROWSERS}`,
    key: 'publishable',
    scopes: [],
    body: sdkResolveSchema,
    bodyBytesMax: SDK_BODY_BYTES_MAX,
    examples: { link: { url: 'https://go.example.com/spring?ref=mail' } },
    response: { status: 200, description: 'The link or item of the URL', schema: sdkResolvedSchema },
    problems: ['not_found'],
  },
  recordSdkOpen: {
    method: 'POST',
    path: '/sdk/opens',
    summary: 'Report that the app was opened',
    description: `A first open is matched in this order: \`opened_url\`; the click that \`play_referrer\` names (unused, at most 90 days old); the click that \`clipboard\` names (unused, at most 2 hours old); then the clicks by people on the same platform within the environment's \`attribution_window_minutes\`, unused, from the same address (IPv6: the same /64) **and** with the same major and minor version of the system. Several clicks of one visitor on one link count as one, the newest. Exactly one click must remain: if there are several, they are told apart by language, screen and model, as far as both the click and the app name them. Private, shared (100.64.0.0/10) and relay addresses (iCloud Private Relay) never match. The click is used up in the transaction that stores the installation, and \`install.attributed\` or \`install.organic\` is emitted in it. \`reason\` is always given. \`guaranteed\` means that a click which the app or the URL named was used up. First opens with a URL but without a click to use up are limited to 600 per minute and address, unless the server is configured otherwise; more are 429. A click whose id is in the URL is used up if it was a click on what the URL leads to.

An installation has one first open: a call that repeats it returns the first response again, whatever its other fields are, and has no effect. Any other open through a link returns \`reengaged\` and emits \`open.reengaged\`; one without a link is \`organic\` with the reason \`no_link\` and emits nothing.

Chrome and web views on Android do not send their version with a first visit, and an iPad in desktop mode identifies itself as a Mac. The page that opens the app reports what these requests lack: the version and the model of an Android device, over HTTPS, and whether a Mac is an iPad, if the link has no destination for a desktop. If no such page is shown, these clicks match only by URL, referrer or clipboard. So do the clicks of most web views on iOS 26 and later, which do not reveal its version.

A click reaches the log within about a second. An open that names a younger click waits for it, for up to 2 seconds. An open without a matching click waits up to half a second before it is \`organic\`.

The app gets the present values of the link or template, with the parameters of the click. This is so even if the link has expired since the click. If the link has been disabled, blocked or deleted since, the open is still attributed and counts for the link, but there is nothing to show. The same goes for a URL that carries the id of such a click; without one, a URL that leads nowhere matches nothing. ${BROWSERS}`,
    key: 'publishable',
    scopes: [],
    body: sdkOpenSchema,
    bodyBytesMax: SDK_BODY_BYTES_MAX,
    examples: {
      first_open: { install_id: 'ins_01jd4v6xq8e5s0m3k7n9p2r4tw', first_open: true, device },
      android: {
        install_id: 'ins_01jd4v6xq8e5s0m3k7n9p2r4tw',
        first_open: true,
        play_referrer: 'click_id=clk_01jd4v6xq8e5s0m3k7n9p2r4tw',
        device: { os: 'android', os_version: '14' },
      },
      by_a_link: {
        install_id: 'ins_01jd4v6xq8e5s0m3k7n9p2r4tw',
        first_open: false,
        opened_url: 'https://go.example.com/spring?ref=mail',
        device,
      },
    },
    response: { status: 200, description: 'Where the open came from, and what to show', schema: sdkOpenResultSchema },
  },
  trackSdkEvent: {
    method: 'POST',
    path: '/sdk/events',
    summary: 'Store an event that happened in the app',
    description: `As \`POST /events\`, with \`source\` \`sdk\`. An event counts for the link of its installation only once the first open has been answered, so send it after that. ${BROWSERS}`,
    key: 'publishable',
    scopes: [],
    body: trackedEventCreateSchema,
    bodyBytesMax: SDK_BODY_BYTES_MAX,
    examples: { purchase: { name: 'purchase', install_id: 'ins_01jd4v6xq8e5s0m3k7n9p2r4tw', value: 19.9, currency: 'EUR' } },
    response: { status: 201, description: 'The event as it was stored', schema: trackedEventSchema, location: false },
  },
} as const satisfies Record<string, UntaggedRoute>;
