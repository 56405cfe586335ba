import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ApiError } from './api/client.js';
import { Toasts } from './parts/toasts.js';
import { useSession } from './session/session.js';
import { SignIn } from './shell/sign-in.js';
import { SignedInApp } from './shell/signed-in-app.js';

/** Failures that a second attempt may not meet again. A request that the API refuses is refused again. */
function retriable(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && (error.code === 'unreachable' || error.status >= 502);
}

/** Offline a call fails at once and says so; by itself the library would keep it, and make it when nobody expects it any more. */
const networkMode = 'always';
const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: retriable, networkMode }, mutations: { retry: false, networkMode } },
});

/** Screens are named by the fragment, so that the page needs nothing of the server but its files, below any path. */
export function App() {
  const session = useSession();
  return (
    <QueryClientProvider client={client}>
      <Router hook={useHashLocation}>
        {session === null ? <SignIn /> : <SignedInApp key={`${session.projectId} ${session.shown}`} session={session} />}
      </Router>
      <Toasts />
    </QueryClientProvider>
  );
}
