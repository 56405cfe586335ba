/**
 * Runs work that ends with its signal: when it takes longer, with a `TimeoutError`, and when it is interrupted. The signal is not made with
 * `AbortSignal.any`, because Node.js may collect an `AbortSignal.timeout` that only such a signal refers to, and then it never ends the work
 * (nodejs/node#57736).
 */
export async function withDeadline<Value>(
  timeoutMs: number,
  interrupted: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  interrupted?.throwIfAborted();
  const end = new AbortController();
  const interrupt = () => end.abort(interrupted?.reason);
  interrupted?.addEventListener('abort', interrupt);
  const timer = setTimeout(() => end.abort(new DOMException(`no answer within ${timeoutMs / 1000} seconds`, 'TimeoutError')), timeoutMs);
  try {
    return await work(end.signal);
  } finally {
    clearTimeout(timer);
    interrupted?.removeEventListener('abort', interrupt);
  }
}
