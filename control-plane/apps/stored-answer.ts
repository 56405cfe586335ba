import type { SdkOpenResult } from '../../shared/contract/schemas/sdk.js';

/**
 * The answer of a first open as the database keeps it, so that the same open gets it again. PostgreSQL reads the link and the campaign
 * out of it (generated columns), and for that has to understand every text in it: it takes no NUL and no half of a surrogate pair, which
 * `data` and `params` may hold. Such an answer is kept as a text within one that can be read.
 */
interface WrappedAnswer extends SdkOpenResult {
  /** JSON text of the answer. */
  readonly whole: string;
}

/** As JSON writes them, which escapes both. A pair of halves is written as it is. */
const UNREADABLE = /\\u(?:0000|d[89a-f])/;

export function storedAnswer(answer: SdkOpenResult): string {
  const whole = JSON.stringify(answer);
  if (!UNREADABLE.test(whole)) return whole;
  const wrapped: WrappedAnswer = { ...answer, data: null, params: null, whole };
  return JSON.stringify(wrapped);
}

export function answerFromStored(text: string): SdkOpenResult {
  const stored = JSON.parse(text) as SdkOpenResult | WrappedAnswer;
  return 'whole' in stored ? (JSON.parse(stored.whole) as SdkOpenResult) : stored;
}
