/** Contract: how many links an export may name by their ids. A URL with them stays below 4 KiB. */
export const EXPORTED_IDS_MAX = 100;
/**
 * Files that a control plane reads at once, each with at most one connection of its pool; files that it sends at once, which include those
 * that wait for their readers, each with some 20 MB of memory at most; and how long one may take.
 */
export const EXPORTS_AT_ONCE_MAX = 2;
export const EXPORTS_SENT_AT_ONCE_MAX = 8;
export const EXPORT_MS_MAX = 600_000;
