import { DESTINATION_SLOTS, type DestinationSlot, type EnvironmentRecord, type LinkRecord, NO_DESTINATIONS } from '../records/records.js';
import { SLOT_ORDER } from './destination.js';
import { followLink, type LinkSurroundings, type LinkVisit } from './follow-link.js';
import { PLATFORMS, type Platform, UNKNOWN_VISITOR } from './recognise-visitor.js';
import { newResolutionTrace, type Resolution, type ResolutionSubject, type ResolutionTrace, resolveVisit } from './resolve-visit.js';

/**
 * The direct destinations of a link, or of the items of a template: for each platform the slot of the subject's own
 * destination to which a visitor is redirected by a plain 302, whatever the settings of the environment are; 0 if there
 * is none. One number has 3 bits for each platform, in the order of `PLATFORMS`: the slot's place in
 * `DESTINATION_SLOTS`, counted from 1.
 *
 * They apply to a person, or to a program that is not a preview bot, on the link host, while the link or template is
 * active, if none of its environment's defaults is in a slot that comes before (`isDefaultBefore`) and no part of the
 * query is passed on.
 */
export type DirectSlots = number;

const SLOT_BITS = 3;
const SLOT_MASK = (1 << SLOT_BITS) - 1;

/** These settings show an open page wherever there can be one. A visitor who is redirected with them is redirected without them too. */
const SURROUNDINGS: LinkSurroundings = {
  settings: { interstitial: true, append_click_id: false, default_destinations: NO_DESTINATIONS, ios_apps: [], android_apps: [] },
  campaigns: new Map(),
};

const VISITS: readonly LinkVisit[] = PLATFORMS.map((platform) => ({
  visitor: { ...UNKNOWN_VISITOR, platform },
  query: '',
  host_role: 'link',
  country: '',
}));

/** The slots of a link. They come from the same function that answers visits. */
export function directSlots(link: LinkRecord): DirectSlots {
  // Fields that may change with the campaign are added to the destination, and rules depend on the visit.
  if (link.campaign !== null || link.utm !== null || link.rules !== null) return 0;
  const active = link.state === 'active' && link.expires_at_ms === 0 ? link : { ...link, state: 'active' as const, expires_at_ms: 0 };
  return slotsOf((visit, trace) => {
    const answer = followLink(active, visit, SURROUNDINGS, { nowMs: 0, trace });
    return answer.kind === 'stop' ? null : answer.resolution;
  });
}

/** The slots of an item, and of every item of its template whose destinations differ from this one's only after the host. */
export function directItemSlots(item: ResolutionSubject): DirectSlots {
  return slotsOf((visit, trace) => resolveVisit({ ...visit, now_ms: 0, utm: [] }, item, SURROUNDINGS.settings, trace));
}

function slotsOf(follow: (visit: LinkVisit, trace: ResolutionTrace) => Resolution | null): DirectSlots {
  return VISITS.reduce((slots, visit, index) => {
    const trace = newResolutionTrace();
    return slots | (directSlot(follow(visit, trace), trace) << (SLOT_BITS * index));
  }, 0);
}

function directSlot(resolution: Resolution | null, { choice }: ResolutionTrace): number {
  if (resolution === null || resolution.outcome !== 'redirect' || choice === null) return 0;
  // The Play Store receives the click's id, which differs from visit to visit.
  return resolution.destination_kind === 'play_store' ? 0 : DESTINATION_SLOTS.indexOf(choice.slot) + 1;
}

/** The slot for the platform, counted from 1; 0 if there is none. */
export function directSlotOf(slots: DirectSlots, platform: Platform): number {
  return (slots >> (SLOT_BITS * platformIndex(platform))) & SLOT_MASK;
}

function platformIndex(platform: Platform): number {
  switch (platform) {
    case 'ios':
      return 0;
    case 'android':
      return 1;
    case 'desktop':
      return 2;
    default:
      return 3;
  }
}

/** A bit that precedes every slot. Destinations that receive the click's id differ from visit to visit, so none of them is direct. */
const BEFORE_ALL = 1 << DESTINATION_SLOTS.length;

/**
 * A bit for each slot that has a default, in the order of `DESTINATION_SLOTS`, and `BEFORE_ALL` if the environment has
 * no direct destinations.
 */
export function defaultSlots({
  default_destinations,
  append_click_id,
}: Pick<EnvironmentRecord, 'default_destinations' | 'append_click_id'>): number {
  return DESTINATION_SLOTS.reduce(
    (bits, slot, index) => (default_destinations[slot] === null ? bits : bits | (1 << index)),
    append_click_id ? BEFORE_ALL : 0,
  );
}

/** A power of two, so that there is room for a slot's place counted from 1. */
const SLOT_PLACES = 1 << SLOT_BITS;

/** For each platform and slot, counted from 1, the bits of the slots that are tried before it. */
const TRIED_BEFORE = Uint8Array.from({ length: PLATFORMS.length * SLOT_PLACES }, (_, place) =>
  triedBefore(PLATFORMS[Math.floor(place / SLOT_PLACES)] as Platform, DESTINATION_SLOTS[(place % SLOT_PLACES) - 1]),
);

function triedBefore(platform: Platform, slot: DestinationSlot | undefined): number {
  const order = SLOT_ORDER[platform];
  const before = slot === undefined ? [] : order.slice(0, Math.max(0, order.indexOf(slot)));
  return before.reduce((bits, name) => bits | (1 << DESTINATION_SLOTS.indexOf(name)), BEFORE_ALL);
}

/** Whether one of the environment's defaults (`defaultSlots`) is tried before the slot, counted from 1. */
export function isDefaultBefore(defaults: number, platform: Platform, slot: number): boolean {
  return (defaults & (TRIED_BEFORE[platformIndex(platform) * SLOT_PLACES + slot] as number)) !== 0;
}
