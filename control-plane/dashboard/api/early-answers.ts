/** Responses to the page's first calls, which are made while its scripts are still loading. This saves one or more round trips. */

interface EarlyAnswer {
  readonly authorization: string;
  readonly answer: Promise<Response>;
}

/** The same timeout as for every other call, so that the page does not wait forever for an early response. */
const TIMEOUT_MS = 30_000;

const answers = new Map<string, EarlyAnswer>();

/** Requests these paths of the API. The first call to each of them gets the response. */
export function askEarly(server: string, secretKey: string, paths: readonly string[]): void {
  const authorization = `Bearer ${secretKey}`;
  for (const path of paths) {
    const answer = fetch(`${server}${path}`, { headers: { authorization }, credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
    // The caller that takes the response handles the failure.
    answer.catch(() => {});
    answers.set(`${server}${path}`, { authorization, answer });
  }
}

/** Takes the early response to a request with the same key. It can be taken once. Null if there is none. */
export function takeEarlyAnswer(url: string, { authorization }: Readonly<Record<string, string>>): Promise<Response> | null {
  const early = answers.get(url);
  if (early === undefined) return null;
  answers.delete(url);
  return early.authorization === authorization ? early.answer : null;
}

/** Drops the responses that no call has taken by now, so that none is used later. */
export function forgetEarlyAnswers(): void {
  answers.clear();
}
