import Type from 'typebox';
import { DESTINATION_CHARACTERS_MAX, RENDERED_URL_CHARACTERS_MAX } from '../../base/limits.js';
import { DESTINATION_SLOTS, type DestinationSlot } from '../../records/records.js';
import { membersOf, nullable, text } from './fields.js';

const HELP: Readonly<Record<DestinationSlot, string>> = {
  ios: 'On iOS: http, https or a custom scheme that an app names in `uri_scheme`',
  android: 'On Android: http, https or a custom scheme that an app names in `uri_scheme`',
  web: 'In a browser: http or https',
  desktop: 'On a desktop: http or https',
  fallback: 'If no other destination applies: http or https',
};

const URL_LENGTH = `At most ${DESTINATION_CHARACTERS_MAX.toLocaleString('en')} characters, where an escaped character counts once`;

/** A URL as it is set. A rule checks its length (`isUrlTooLong`); the schema accepts every URL in the form in which it is shown. */
export function urlText(description: string): Type.TString {
  return Type.String({
    minLength: 1,
    maxLength: RENDERED_URL_CHARACTERS_MAX,
    description: `${description.replace(/\.$/, '')}. ${URL_LENGTH}`,
  });
}

/** A URL that visitors are led to, as it is set: it may be left out, and null clears it. */
export function urlIn(description: string) {
  return Type.Optional(nullable(urlText(description)));
}

/** Destinations by platform, as they are shown: every slot is present. */
export const slotsOut = membersOf(DESTINATION_SLOTS, (slot) => nullable(text(HELP[slot])));

/** The same as they are set. */
export const slotsIn = membersOf(DESTINATION_SLOTS, (slot) => urlIn(HELP[slot]));
