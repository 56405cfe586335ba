/** Interval of heartbeats. Proxies close a response in which nothing is sent for a minute or half a minute. */
export const HEARTBEAT_MS = 15_000;

/** Contract: a stream is ended if its client has not received what it was sent within this time. What is sent next waits meanwhile. */
export const TAKEN_WITHIN_MS = 5_000;

/** Contract: how long after a stream ended its client may resume it. Batches are kept longer, by more than their longest transaction. */
export const RESUME_SECONDS = 3_000;
export const BATCHES_KEPT_SECONDS = 3_600;
