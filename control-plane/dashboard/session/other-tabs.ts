/**
 * A link that is opened in a new tab finds no session there: the browser keeps it in the tab that it was begun in. The new
 * tab asks the others of this page for theirs. Nothing of it is stored outside of tabs.
 */
type Message<Session> = { readonly kind: 'ask' } | { readonly kind: 'tell'; readonly session: Session } | { readonly kind: 'signed_out' };

/** Tabs answer in milliseconds. A later answer is not for a reader who has begun to type a key. */
const ANSWER_MS = 1_000;

const channel = new BroadcastChannel('session');

export interface TabSession<Session> {
  readonly get: () => Session | null;
  readonly set: (session: Session | null) => void;
}

/** Shares the session of this tab with others that ask for it, and asks for theirs if it has none. */
export function shareSession<Session>({ get, set }: TabSession<Session>): void {
  const askedAt = performance.now();
  channel.onmessage = ({ data }: MessageEvent<Message<Session>>) => {
    const session = get();
    if (data.kind === 'ask' && session !== null) send({ kind: 'tell', session });
    if (data.kind === 'tell' && session === null && performance.now() - askedAt < ANSWER_MS) set(data.session);
    if (data.kind === 'signed_out') set(null);
  };
  if (get() === null) send({ kind: 'ask' });
}

/** A reader who signs out of one tab is signed out of all of them. */
export function tellSignedOut(): void {
  send({ kind: 'signed_out' });
}

function send<Session>(message: Message<Session>): void {
  channel.postMessage(message);
}
