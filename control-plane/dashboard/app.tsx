import { type Query, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useLayoutEffect } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApiError, whenKeyIsRefused } from './api/client.js';
import { useLanguage } from './language/language.js';
import { late } from './parts/late.js';
import { Loading } from './parts/states.js';
import { silenceToasts, Toasts } from './parts/toasts.js';
import { draftsWait, useSession } from './session/session.js';
import { ScreenBoundary } from './shell/screen-boundary.js';
import { SignIn } from './shell/sign-in.js';
import { SignedInApp } from './shell/signed-in-app.js';

/** How long users wait at most for the next attempt. If the server asks for more, the screen says so at once. */
const WAIT_MS_MAX = 5_000;

/**
 * Whether a retry may succeed. If the API refuses a request, it will refuse it again, except for too many at once: a screen itself can make
 * more long calls than an environment may have.
 */
function retriable(failures: number, error: unknown): boolean {
  if (failures >= 2 || !(error instanceof ApiError) || !error.isPassing) return false;
  return error.status !== 429 || (error.retryAfterMs !== null && error.retryAfterMs <= WAIT_MS_MAX);
}

/** One second and then two, or as long as the server asks. */
function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(WAIT_MS_MAX, Math.max(1000 * 2 ** failures, asked));
}

/** Refusals of a read that say that there is nothing to show, or not to this reader. */
const NOTHING_TO_SHOW: readonly ApiError['code'][] = ['not_found', 'password_required'];

/**
 * Drops what was read before, because it was deleted or revoked meanwhile. After any other failure the library keeps it, and screens
 * show it.
 */
function dropIfGone(error: Error, query: Query<unknown, unknown, unknown>): void {
  if (error instanceof ApiError && NOTHING_TO_SHOW.includes(error.code)) query.setState({ data: undefined });
}

/**
 * Calls fail at once when the browser is offline, with a message. By default, the library would hold them and send them later, when nobody
 * expects it any more.
 */
const networkMode = 'always';
const client = new QueryClient({
  queryCache: new QueryCache({ onError: dropIfGone }),
  defaultOptions: { queries: { staleTime: 10_000, retry: retriable, retryDelay, networkMode }, mutations: { retry: false, networkMode } },
});

/**
 * If a call is refused because of its key, the key has been revoked. The environment is then read again: its refusal ends the session of
 * the key, and the page asks for another key. Entries that could not be saved are restored afterwards (`dropKey`).
 */
whenKeyIsRefused(() => void client.invalidateQueries({ predicate: ({ queryKey: [, of] }) => of === '/environment' }));

/** For people without a key, who load nothing else. */
const SharedViewPage = late('SharedViewPage', () => import('./screens/shared-view/shared-view.js'));

const SHARED = '/shared/';

/** The URL fragment names the screen, so that the page needs only its static files from the server, below any path. */
export function App() {
  // Everything is drawn again when the language changes.
  useLanguage();
  const session = useSession();
  const [location] = useHashLocation();
  const isShared = location.startsWith(SHARED);
  const isSignedOut = session === null && !isShared && !draftsWait();
  useLayoutEffect(() => silenceToasts(isSignedOut), [isSignedOut]);
  return (
    <QueryClientProvider client={client}>
      {isShared ? (
        <ScreenBoundary>
          <Suspense fallback={<Loading lines={8} />}>
            <SharedViewPage key={location} token={location.slice(SHARED.length)} />
          </Suspense>
        </ScreenBoundary>
      ) : (
        <Router hook={useHashLocation}>
          {session === null ? <SignIn /> : <SignedInApp key={`${session.projectId} ${session.shown}`} session={session} />}
        </Router>
      )}
      <Toasts />
    </QueryClientProvider>
  );
}
