import Type from 'typebox';
import { DESTINATION_CHARACTERS_MAX } from '../../base/limits.js';
import { DESTINATION_SLOTS, type DestinationSlot } from '../../records/records.js';
import { membersOf, nullable, text } from './fields.js';

const HELP: Readonly<Record<DestinationSlot, string>> = {
  ios: 'On iOS: http, https or a custom scheme that an app names in `uri_scheme`',
  android: 'On Android: http, https or a custom scheme that an app names in `uri_scheme`',
  web: 'In a browser: http or https',
  desktop: 'On a desktop: http or https',
  fallback: 'If no other destination applies: http or https',
};

/** A URL that visitors are led to, as it is set: it may be left out, and null clears it. */
export function urlIn(description: string) {
  return Type.Optional(nullable(Type.String({ minLength: 1, maxLength: DESTINATION_CHARACTERS_MAX, description })));
}

/** Destinations by platform, as they are shown: every slot is present. */
export const slotsOut = membersOf(DESTINATION_SLOTS, (slot) => nullable(text(HELP[slot])));

/** The same as they are set. */
export const slotsIn = membersOf(DESTINATION_SLOTS, (slot) => urlIn(HELP[slot]));
