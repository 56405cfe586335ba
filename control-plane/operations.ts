import type { IsUnmatchable } from '../shared/attribution/unmatchable-networks.js';
import type { Clock } from '../shared/base/clock.js';
import type { PartHealth } from '../shared/base/part-health.js';
import type { RequestSender } from '../shared/metadata/call.js';
import type { OutboundUrlCheck } from '../shared/net/public-host.js';
import type { LinkUrlForm } from '../shared/resolve/link-origin.js';
import { deriveClickIdKeys } from '../shared/secrets/click-id-keys.js';
import type { SecretKeys } from '../shared/secrets/seal.js';
import { appOperations } from './apps/handlers.js';
import { campaignOperations } from './campaigns/handlers.js';
import type { ClickStore } from './click-store/click-store.js';
import type { ClickStreams } from './click-stream/click-streams.js';
import { clickStreamOperations } from './click-stream/handlers.js';
import type { Wait } from './clicks/await-named-click.js';
import { domainOperations } from './domains/handlers.js';
import type { HostLookup } from './domains/host-lookup.js';
import type { HostProbe } from './domains/host-probe.js';
import type { TxtLookup } from './domains/txt-lookup.js';
import { environmentOperations } from './environment/handlers.js';
import { eventOperations } from './events/handlers.js';
import { exportOperations } from './exports/handlers.js';
import { healthOperations } from './health/handlers.js';
import { createCursors } from './http/cursor.js';
import type { Operations } from './http/operation.js';
import type { RateLimiter } from './http/rate-limit.js';
import { importOperations } from './imports/handlers.js';
import { installOperations } from './installs/handlers.js';
import { keyOperations } from './keys/handlers.js';
import { linkOperations } from './links/handlers.js';
import { metadataApiOperations } from './metadata-api/handlers.js';
import type { QrThread } from './qr/qr-thread.js';
import { resourceTypeOperations } from './resource-types/handlers.js';
import { resourceOperations } from './resources/handlers.js';
import type { Retention } from './settings.js';
import { statsOperations } from './stats/handlers.js';
import { LongCalls } from './stats/long-calls.js';
import { tagOperations } from './tags/handlers.js';
import { urlTemplateOperations } from './url-templates/handlers.js';
import { leadsToTemplate } from './url-templates/template-matcher.js';
import { viewOperations } from './views/handlers.js';
import { shareOperations } from './views/share-handlers.js';
import { createShareTokens } from './views/share-tokens.js';
import { sharedViewOperation } from './views/shared-view-handler.js';
import { deliveryOperations } from './webhooks/delivery-handlers.js';
import { webhookOperations } from './webhooks/handlers.js';

export interface OperationDependencies {
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  readonly linkUrlForm: LinkUrlForm;
  readonly qrImages: Pick<QrThread, 'image'>;
  readonly outbound: OutboundUrlCheck;
  readonly clickStreams: Pick<ClickStreams, 'prepare'>;
  /** Calls customers' servers. */
  readonly sender: RequestSender;
  /** SERVICE_NAME. */
  readonly serviceName: string;
  /** Looks up the DNS records of custom domains. */
  readonly lookUpTxt: TxtLookup;
  /** Looks up in DNS where a host leads. */
  readonly lookUpHost: HostLookup;
  /** Connects to a host to find out which server answers. */
  readonly probeHost: HostProbe;
  readonly clickStore: ClickStore;
  readonly retention: Retention;
  /** Whether opens of apps must never be matched by the address. */
  readonly isUnmatchable: IsUnmatchable;
  readonly wait: Wait;
  /** Limits, per address, first opens that name only a URL, without a click. */
  readonly urlOpenLimiter: RateLimiter;
  /** Limits wrong passwords for each shared view, from all addresses together. */
  readonly sharedViewTryLimiter: RateLimiter;
  /** Health of the parts of this process. */
  readonly ready: () => Promise<readonly PartHealth[]>;
}

/** Every operation of the route table. */
export function createOperations(dependencies: OperationDependencies): Operations {
  const { secretKeys, clock, linkUrlForm: form, outbound, sender, serviceName } = dependencies;
  const { lookUpTxt, lookUpHost, probeHost, clickStore, retention } = dependencies;
  const { isUnmatchable, wait, urlOpenLimiter, sharedViewTryLimiter, ready, qrImages } = dependencies;
  const cursors = createCursors(secretKeys);
  const tokens = createShareTokens(secretKeys);
  const clickIds = deriveClickIdKeys(secretKeys);
  const longCalls = new LongCalls();
  const caller = { secretKeys, serviceName, sender };
  return {
    ...linkOperations({ form, cursors, clickIds, clickStore, leadsToTemplate, qrImages }),
    ...resourceTypeOperations({ cursors }),
    ...urlTemplateOperations({ form, cursors, clickIds }),
    ...campaignOperations({ cursors }),
    ...tagOperations(cursors),
    ...domainOperations({ cursors, form, qrImages, lookUpTxt, lookUpHost, probeHost }),
    ...environmentOperations({ form }),
    ...keyOperations(cursors),
    ...healthOperations({ ready }),
    ...eventOperations({ cursors, clickIds, clickStore, wait }),
    ...exportOperations({ form, clickStore, clickRetentionDays: retention.clicks }),
    ...importOperations({ form }),
    ...installOperations(cursors),
    ...appOperations({ form, clickIds, clickStore, isUnmatchable, wait, urlOpenLimiter }),
    ...clickStreamOperations(dependencies.clickStreams),
    ...statsOperations({ clickStore, longCalls, retention }),
    ...viewOperations(cursors),
    ...shareOperations(tokens),
    ...sharedViewOperation({ tokens, clock, clickStore, clickRetentionDays: retention.clicks, triesOfView: sharedViewTryLimiter }),
    ...webhookOperations({ cursors, secretKeys, outbound }),
    ...metadataApiOperations({ caller, outbound }),
    ...resourceOperations({ caller, clickStore, longCalls }),
    ...deliveryOperations({ cursors }),
  };
}
