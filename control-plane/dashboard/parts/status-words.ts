import { type Message, message, textOf } from '../language/text.js';

/** States, outcomes and kinds, which the API names by one word. */
const WORDS: Readonly<Record<string, Message>> = {
  abandoned: message('abandoned'),
  active: message('active'),
  archived: message('archived'),
  auto_disabled: message('auto disabled'),
  blocked: message('blocked'),
  degraded: message('degraded'),
  disabled: message('disabled'),
  ended: message('ended'),
  error: message('error'),
  expired: message('expired'),
  failed: message('failed'),
  failing: message('failing'),
  deleted: message('deleted'),
  granted: message('granted'),
  invalid: message('invalid'),
  invalid_id: message('invalid id'),
  link: message('link'),
  match: message('match'),
  missing: message('missing'),
  no_link: message('no link'),
  no_template: message('no template'),
  'not granted': message('not granted'),
  ok: message('ok'),
  pending: message('pending'),
  published: message('published'),
  replay: message('replay'),
  reserved: message('reserved'),
  retrying: message('retrying'),
  scheduled: message('scheduled'),
  skipped: message('skipped'),
  succeeded: message('succeeded'),
  test: message('test'),
  unpublished: message('unpublished'),
  unknown_host: message('unknown host'),
  verified: message('verified'),
};

export function statusWord(status: string): string {
  const word = WORDS[status];
  return word === undefined ? status.replaceAll('_', ' ') : textOf(word);
}
