import { message, textOf } from '../language/text.js';
import type { EnvironmentName } from './stored-session.js';

const WORDS = { live: message('live'), test: message('test') } as const;

/** The name of an environment within a sentence. */
export function environmentWord(name: EnvironmentName): string {
  return textOf(WORDS[name]);
}
