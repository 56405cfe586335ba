import type { Test } from 'tap';
import type { OnStack } from './visit.js';

/** Somebody's way through a screen, by the sentence that it proves. All go over one stack, one after the other. */
export type Tours = Readonly<Record<string, (t: Test, on: OnStack) => Promise<void>>>;
