/** PostgreSQL notification channels. A notification is a hint: whoever gets one reads the tables again. Payloads are JSON. */
export const FEED_CHANNEL = 'config_feed';
export const WEBHOOK_CHANNEL = 'webhook_due';

/** Payload of `FEED_CHANNEL`. */
export interface FeedNotification {
  readonly position: number;
}
