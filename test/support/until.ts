/**
 * Calls `look` until it returns something other than null, undefined or false, and returns that. After the timeout,
 * rejects with `what`, or else with the text of `look`.
 */
export async function until<Value>(
  look: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  what = String(look),
  timeoutMs = 30_000,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
