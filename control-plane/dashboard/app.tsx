import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApiError } from './api/client.js';
import { useLanguage } from './language/language.js';
import { late } from './parts/late.js';
import { Loading } from './parts/states.js';
import { Toasts } from './parts/toasts.js';
import { useSession } from './session/session.js';
import { ScreenBoundary } from './shell/screen-boundary.js';
import { SignIn } from './shell/sign-in.js';
import { SignedInApp } from './shell/signed-in-app.js';

/** Failures that a second attempt may not meet again. A request that the API refuses is refused again. */
function retriable(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && (error.code === 'unreachable' || error.status >= 502);
}

/**
 * A key that is refused in the middle of the work is revoked, by a read or by a write: the environment is asked for again, whose refusal ends
 * the session of the key and asks for another one. What was typed and could not be saved is there again then (`dropKey`).
 */
function askForKey(error: Error, path?: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'unauthorized' || path === '/environment') return;
  void client.invalidateQueries({ predicate: ({ queryKey: [, of] }) => of === '/environment' });
}

/** Offline a call fails at once and says so; by itself the library would keep it, and make it when nobody expects it any more. */
const networkMode = 'always';
const client = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey: [, path] }) => askForKey(error, path) }),
  mutationCache: new MutationCache({ onError: (error) => askForKey(error) }),
  defaultOptions: { queries: { staleTime: 10_000, retry: retriable, networkMode }, mutations: { retry: false, networkMode } },
});

/** For readers without a key, who load nothing else. */
const SharedViewPage = late('SharedViewPage', () => import('./screens/shared-view/shared-view.js'));

const SHARED = '/shared/';

/** Screens are named by the fragment, so that the page needs nothing of the server but its files, below any path. */
export function App() {
  // In another language everything is drawn again.
  useLanguage();
  const session = useSession();
  const [location] = useHashLocation();
  if (location.startsWith(SHARED))
    return (
      <QueryClientProvider client={client}>
        <ScreenBoundary>
          <Suspense fallback={<Loading lines={8} />}>
            <SharedViewPage key={location} token={location.slice(SHARED.length)} />
          </Suspense>
        </ScreenBoundary>
      </QueryClientProvider>
    );
  return (
    <QueryClientProvider client={client}>
      <Router hook={useHashLocation}>
        {session === null ? <SignIn /> : <SignedInApp key={`${session.projectId} ${session.shown}`} session={session} />}
      </Router>
      <Toasts />
    </QueryClientProvider>
  );
}
