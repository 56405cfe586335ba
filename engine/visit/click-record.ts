import type { ReportedDevice } from '../../shared/attribution/click-device.js';
import { ADDRESS_BYTES, addressText, copyAddress, readAddressText } from '../../shared/net/address.js';
import { forwardedAddress, type ProxyTrust } from '../../shared/net/client-address.js';
import { CLICK_KINDS } from '../../shared/records/records.js';
import type { CompiledTemplate } from '../../shared/resolve/template-route.js';
import type { AnswerSink } from '../http/answer-sink.js';
import type { Facts } from '../http/facts.js';
import { type Click, type ClickTexts, DEVICE_KIND, withPlatformVersion, withRegion } from '../spool/click.js';
import { botReason, type Decision } from './decide.js';
import type { HostEntry } from './table.js';

const LINK_KIND = CLICK_KINDS.indexOf('link');
const TEMPLATE_KIND = CLICK_KINDS.indexOf('template');

/** Returns a click that a process can use for every visit, because the spool copies what it stores before it returns. */
export function newClick(): Click {
  return {
    occurred_at_ms: 0,
    environment_number: 0,
    kind: LINK_KIND,
    texts: null,
    subject_id: '',
    resource_type_id: '',
    item_id: '',
    host: '',
    path: '',
    user_agent: '',
    platform_hint: '',
    bot_reason: '',
    referrer: '',
    campaign: '',
    utm: '',
    query: '',
    params_dropped: false,
    qr: false,
    destination: '',
    country: '',
    address_text: '',
    address_bytes: null,
  };
}

/** Fills the click of a decision. */
export function fillClick(click: Click, facts: Facts, decision: Decision, occurredAtMs: number): void {
  const { link, item } = decision;
  click.occurred_at_ms = occurredAtMs;
  click.environment_number = decision.entry.environment.record.number;
  click.kind = item === null ? LINK_KIND : TEMPLATE_KIND;
  click.texts = null;
  click.subject_id = item === null ? (link?.id ?? '') : item.template.id;
  click.resource_type_id = item === null ? '' : item.template.resource_type_id;
  click.item_id = item === null ? '' : item.id;
  click.host = decision.entry.host;
  click.path = decision.visited_path;
  // Hints say more than the user agent only if they were followed.
  const hinted = decision.visitor !== facts.visitor;
  click.platform_hint = hinted ? facts.platform_hint : '';
  click.user_agent = hinted ? withPlatformVersion(facts.user_agent, facts.platform_version) : facts.user_agent;
  click.bot_reason = decision.bot_reason;
  click.referrer = facts.referrer;
  click.campaign = link?.campaign ?? '';
  click.utm = decision.utm;
  click.query = decision.params_dropped ? '' : decision.query;
  click.params_dropped = decision.params_dropped;
  click.qr = facts.qr;
  click.destination = decision.destination;
  click.country = withRegion(facts.country, facts.region, facts.city);
}

/** Fills the click of a link that redirects without a decision of its own. The texts are not copied. */
export function fillDirectClick(click: Click, facts: Facts, entry: HostEntry, texts: ClickTexts, occurredAtMs: number): void {
  fillDirect(click, facts, entry, occurredAtMs);
  click.kind = LINK_KIND;
  click.texts = texts;
  click.resource_type_id = '';
  click.item_id = '';
}

/** Does the same for an item. The path of the visit is the path of the item. */
export function fillDirectItemClick(
  click: Click,
  facts: Facts,
  entry: HostEntry,
  { template, id, destination }: { readonly template: CompiledTemplate; readonly id: string; readonly destination: string },
  occurredAtMs: number,
): void {
  fillDirect(click, facts, entry, occurredAtMs);
  click.kind = TEMPLATE_KIND;
  click.texts = null;
  click.subject_id = template.id;
  click.resource_type_id = template.resource_type_id;
  click.item_id = id;
  click.path = facts.path.slice(1);
  click.destination = destination;
}

function fillDirect(click: Click, facts: Facts, { environment, host }: HostEntry, occurredAtMs: number): void {
  click.occurred_at_ms = occurredAtMs;
  click.environment_number = environment.record.number;
  click.host = host;
  click.platform_hint = '';
  click.user_agent = facts.user_agent;
  click.bot_reason = botReason(facts.visitor, facts);
  click.referrer = facts.referrer;
  click.campaign = '';
  click.utm = '';
  click.query = '';
  click.params_dropped = false;
  click.qr = facts.qr;
  click.country = withRegion(facts.country, facts.region, facts.city);
}

/** Fills the record of what a page has learnt about the device behind its click. */
export function fillDevice(
  click: Click,
  facts: Facts,
  environmentNumber: number,
  { clickId, device }: ReportedDevice,
  clickedAtMs: number,
): void {
  click.occurred_at_ms = clickedAtMs;
  click.environment_number = environmentNumber;
  click.kind = DEVICE_KIND;
  click.texts = null;
  click.subject_id = clickId;
  click.resource_type_id = '';
  click.item_id = device.model;
  click.host = '';
  click.path = '';
  click.platform_hint = device.platform;
  click.user_agent = withPlatformVersion(facts.user_agent, device.os_version);
  click.bot_reason = '';
  click.referrer = '';
  click.campaign = '';
  click.utm = '';
  click.query = '';
  click.params_dropped = false;
  click.qr = false;
  click.destination = '';
  click.country = '';
}

const visitorAddress = new Uint8Array(ADDRESS_BYTES);

/** Returns the visitor's address as text, and whether it was forwarded by a trusted proxy. */
export function addressOf(facts: Facts, sink: AnswerSink, trust: ProxyTrust): { readonly text: string; readonly forwarded: boolean } {
  const peer = new Uint8Array(sink.getRemoteAddress());
  const forwarded = forwardedAddress(trust, trust.proxies === null ? null : peer, facts.forwarded_for);
  if (forwarded === '' || !readAddressText(forwarded, visitorAddress)) copyAddress(peer, 0, peer.length, visitorAddress);
  return { text: addressText(visitorAddress), forwarded: forwarded !== '' };
}

/**
 * Fills the address of the visitor: from the trusted proxies, or else from the socket. Reading the socket's address is expensive,
 * so it is read only if no proxy sent one. The country comes from the proxies too, and is dropped if they are not trusted. Neither
 * is stored for a visitor who has opted out.
 */
export function fillAddress(click: Click, facts: Facts, sink: AnswerSink, trust: ProxyTrust): void {
  if (facts.opted_out) {
    click.address_text = '';
    click.address_bytes = null;
    click.country = '';
    return;
  }
  const peer = trust.proxies === null ? null : new Uint8Array(sink.getRemoteAddress());
  click.address_text = forwardedAddress(trust, peer, facts.forwarded_for);
  if (click.address_text === '') {
    click.address_bytes = peer ?? new Uint8Array(sink.getRemoteAddress());
    click.country = '';
  } else click.address_bytes = null;
}
