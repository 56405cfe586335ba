/** Calls that a page begins with, made while its scripts are still on their way: it waits for a round trip less, or several. */

interface EarlyAnswer {
  readonly authorization: string;
  readonly answer: Promise<Response>;
}

/** As every call: a page must not wait for ever for an answer that was asked for early. */
const TIMEOUT_MS = 30_000;

const answers = new Map<string, EarlyAnswer>();

/** Asks for the paths of the API. The first call for one of them gets its answer. */
export function askEarly(server: string, secretKey: string, paths: readonly string[]): void {
  const authorization = `Bearer ${secretKey}`;
  for (const path of paths) {
    const answer = fetch(`${server}${path}`, { headers: { authorization }, credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
    // Who takes it sees the failure.
    answer.catch(() => {});
    answers.set(`${server}${path}`, { authorization, answer });
  }
}

/** The answer that was asked for early with the same key, once; null without one. */
export function takeEarlyAnswer(url: string, { authorization }: Readonly<Record<string, string>>): Promise<Response> | null {
  const early = answers.get(url);
  if (early === undefined) return null;
  answers.delete(url);
  return early.authorization === authorization ? early.answer : null;
}

/** What nobody has called for by now is not given out later. */
export function forgetEarlyAnswers(): void {
  answers.clear();
}
