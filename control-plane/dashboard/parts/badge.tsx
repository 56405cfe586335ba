import { statusWord } from './status-words.js';

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'info';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}

/** States of all resources, in the words of the API. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  verified: 'good',
  succeeded: 'good',
  ok: 'good',
  match: 'good',
  granted: 'good',
  'not granted': 'quiet',
  disabled: 'quiet',
  archived: 'quiet',
  ended: 'quiet',
  expired: 'quiet',
  skipped: 'quiet',
  scheduled: 'info',
  pending: 'info',
  retrying: 'warn',
  missing: 'warn',
  invalid: 'warn',
  invalid_id: 'warn',
  auto_disabled: 'bad',
  blocked: 'bad',
  failed: 'bad',
  failing: 'bad',
  abandoned: 'bad',
  degraded: 'warn',
  error: 'bad',
};

export function StatusBadge({ status }: { readonly status: string }) {
  return <Badge tone={TONES[status] ?? 'quiet'}>{statusWord(status)}</Badge>;
}
