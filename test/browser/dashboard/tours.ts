import type { Test } from 'tap';
import type { OnStack } from './visit.js';

/** Walks through a screen, each under the sentence that it proves. All use the same stack, one after the other. */
export type Tours = Readonly<Record<string, (t: Test, on: OnStack) => Promise<void>>>;
