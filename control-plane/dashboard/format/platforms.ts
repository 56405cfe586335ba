import { type Message, message, textOf } from '../language/text.js';

const NAMES: Readonly<Record<string, Message>> = {
  ios: message('iOS'),
  android: message('Android'),
  desktop: message('Desktop'),
  other: message('Other'),
};

/** The name of a platform of visitors, from its code in the API; other codes are returned unchanged. */
export function platformName(code: string): string {
  const name = NAMES[code];
  return name === undefined ? code : textOf(name);
}
