import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file of deploy/. */
export function deployedPath(file: string): string {
  return fileURLToPath(new URL(`../../../deploy/${file}`, import.meta.url));
}

/** The text of a file of deploy/. */
export function deployed(file: string): string {
  return readFileSync(deployedPath(file), 'utf8');
}

/** Replaces words in the text. Throws if the text no longer has them. */
export function replaced(text: string, words: string, by: string): string {
  if (!text.includes(words)) throw new Error(`there is no ${JSON.stringify(words)} to be replaced`);
  return text.replace(words, by);
}
