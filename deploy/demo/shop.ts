import { randomUUID } from 'node:crypto';
import type { Link, LinkService, UrlTemplate } from '../../shared/sdk/server.js';
import { CAMPAIGNS, DEMO_TAG, LINKS } from './catalogue.js';
import { SHOE_TEMPLATE, SHOE_TYPE, shoeApi } from './sample-api.js';
import { DAYS } from './visits.js';

/** What the demo creates over the REST API, as a customer would. */
export interface Shop {
  readonly links: readonly Link[];
  readonly template: UrlTemplate;
}

/** Where `linkd demo serve` receives webhooks. */
export const HOOKS_PATH = '/hooks';
/**
 * The events that may happen in the shop. The clicks of the 30 days are stored while the endpoint is disabled; clicks of later visitors are
 * sent.
 */
const EVENTS = [
  'link.created',
  'link.updated',
  'link.disabled',
  'link.blocked',
  'click.created',
  'campaign.created',
  'install.attributed',
  'event.tracked',
] as const;
const DAY_MS = 86_400_000;

/** `origin` is the origin of `linkd demo serve`, as engines reach it. */
export async function makeShop(service: LinkService, origin: string, nowMs: number): Promise<Shop> {
  for (const campaign of CAMPAIGNS) await service.campaigns.create(campaign);
  // Older than the oldest click of each link.
  const createdAt = new Date(nowMs - (DAYS + 1) * DAY_MS).toISOString();
  const links: Link[] = [];
  for (const { value } of LINKS)
    links.push(
      await service.links.create({
        ...value,
        tags: [...value.tags],
        createdAt,
        deepLinkPath: `/${value.path}`,
        destinations: { web: `https://example.com/${value.path}` },
      }),
    );
  const type = await service.resourceTypes.create(SHOE_TYPE);
  const template = await service.urlTemplates.create({ resourceTypeId: type.id, ...SHOE_TEMPLATE });
  await service.resourceTypes.metadataApi.put(type.id, shoeApi(origin));
  const { id } = await service.webhooks.create({ url: origin + HOOKS_PATH, events: [...EVENTS], description: DEMO_TAG });
  // Nobody listens there before `linkd demo serve`, which enables the endpoint.
  await service.webhooks.update(id, { status: 'disabled' });
  return { links, template };
}

export interface AppVisits {
  readonly baseUrl: string;
  readonly publishableKey: string;
  /** Clicks by people on Android, newest first. */
  readonly clickIds: readonly string[];
}

const CURRENCY = 'EUR';

/**
 * Reports first opens for which the Play Store names the click, and what those people buy. Returns the numbers of installs and purchases.
 */
export async function makeInstalls(
  service: LinkService,
  { baseUrl, publishableKey, clickIds }: AppVisits,
): Promise<{ installs: number; events: number }> {
  let installs = 0;
  for (const clickId of clickIds) {
    const installId = randomUUID();
    const response = await fetch(`${baseUrl}/sdk/opens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        install_id: installId,
        first_open: true,
        play_referrer: `click_id=${clickId}`,
        device: { os: 'android', os_version: '14', model: 'Pixel 8' },
      }),
    });
    if (!response.ok) throw new Error(`an open was refused: ${response.status} ${await response.text()}`);
    installs++;
    await service.events.track({
      name: 'purchase',
      installId,
      clickId,
      value: 39 + installs,
      currency: CURRENCY,
      properties: { demo: true },
    });
  }
  return { installs, events: installs };
}
