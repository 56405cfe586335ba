/** Proxies cut off an answer in which nothing comes for a minute, or half of one. */
export const HEARTBEAT_MS = 15_000;

/** Contract: a stream whose client has not taken what it was sent is ended after this long. What is sent next waits meanwhile. */
export const TAKEN_WITHIN_MS = 5_000;

/** Contract: how long ago a stream may have ended that a client goes on with. Batches are kept longer, by more than the longest of their transactions. */
export const RESUME_SECONDS = 3_000;
export const BATCHES_KEPT_SECONDS = 3_600;
