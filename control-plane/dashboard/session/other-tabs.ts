/**
 * A link that is opened in a new tab finds no session there, because the browser keeps the session in the tab in which it began. The new
 * tab asks the other tabs of this page for theirs. This exchange stores nothing outside of tabs.
 */
type Message<Session> =
  | { readonly kind: 'ask' }
  | { readonly kind: 'tell'; readonly session: Session; readonly usedAt: number }
  | { readonly kind: 'signed_out' };

/** Tabs answer in milliseconds. Later answers are ignored, because the user may have begun to type a key. */
const ANSWER_MS = 1_000;

/** Null in a browser that is set to let this page store nothing, because it may refuse this as well. */
const channel = openChannel();

function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel('session');
  } catch {
    return null;
  }
}

export interface TabSession<Session> {
  readonly get: () => Session | null;
  readonly set: (session: Session | null) => void;
  /** Called when the user does something in this tab. */
  readonly used: () => void;
}

/**
 * Shares the session of this tab with other tabs that ask for it. Asks them for theirs if this tab has none. If several tabs answer, the
 * session is that of the tab that was used last, because this is where the link was opened.
 */
export function shareSession<Session>({ get, set, used }: TabSession<Session>): void {
  const askedAt = performance.now();
  let usedAt = 0;
  let taken: { readonly session: Session; readonly usedAt: number } | null = null;
  for (const event of ['pointerdown', 'keydown'])
    addEventListener(
      event,
      () => {
        usedAt = Date.now();
        used();
      },
      { capture: true, passive: true },
    );
  const receive = ({ data }: MessageEvent<Message<Session>>) => {
    const session = get();
    if (data.kind === 'ask' && session !== null) send({ kind: 'tell', session, usedAt });
    if (data.kind === 'tell' && performance.now() - askedAt < ANSWER_MS) {
      const isBetter = taken === null ? session === null : session === taken.session && data.usedAt > taken.usedAt;
      if (isBetter) {
        taken = data;
        set(data.session);
      }
    }
    if (data.kind === 'signed_out') set(null);
  };
  if (channel !== null) channel.onmessage = receive;
  if (get() === null) send({ kind: 'ask' });
}

/** Signs the user out of all other tabs. */
export function tellSignedOut(): void {
  send({ kind: 'signed_out' });
}

function send<Session>(message: Message<Session>): void {
  channel?.postMessage(message);
}
