import type { SdkOpenResult } from '../../shared/contract/schemas/sdk.js';

/**
 * The answer to a first open as the database stores it, so that the same open gets it again. PostgreSQL extracts the link and the campaign
 * from it (generated columns), and has to parse every text in it for that. It accepts no NUL and no half of a surrogate pair, which
 * `data` and `params` may contain. Such an answer is stored as a text within one that can be parsed.
 */
interface WrappedAnswer extends SdkOpenResult {
  /** JSON text of the answer. */
  readonly whole: string;
}

/** Matches both as JSON escapes them. JSON does not escape a complete surrogate pair. */
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
