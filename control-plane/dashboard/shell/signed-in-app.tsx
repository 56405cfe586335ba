import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type ApiError, call, keepIfSame } from '../api/client.js';
import { text } from '../language/text.js';
import { Button } from '../parts/button.js';
import { Failure, Loading } from '../parts/states.js';
import { toast } from '../parts/toasts.js';
import { environmentWord } from '../session/environment-words.js';
import { dropKey, type Session, setSession } from '../session/session.js';
import { ConnectionContext, SignedInContext } from '../session/signed-in.js';
import { Screens } from './screens.js';
import { Shell } from './shell.js';

/** The page of one environment, once its project is known. */
export function SignedInApp({ session }: { readonly session: Session }) {
  const connection = useMemo(
    () => ({ connection: { server: session.server, secretKey: session.keys[session.shown] as string }, environment: session.shown }),
    [session],
  );
  const settings = useQuery<Awaited<ReturnType<typeof call<'GET /environment'>>>, ApiError>({
    queryKey: [session.shown, '/environment', {}],
    queryFn: ({ signal }) => call(connection.connection, 'GET /environment', {}, { signal }),
    structuralSharing: keepIfSame,
  });
  const key = useQuery<Awaited<ReturnType<typeof call<'GET /key'>>>, ApiError>({
    queryKey: [session.shown, '/key', {}],
    queryFn: ({ signal }) => call(connection.connection, 'GET /key', {}, { signal }),
  });
  const client = useQueryClient();
  const revoked = settings.error?.code === 'unauthorized';
  useEffect(() => {
    if (!revoked) return;
    // The cached refusal was for this key. The environment is read again with its next key.
    client.removeQueries({ queryKey: [session.shown] });
    if (dropKey(session.shown)) return;
    toast(text('The key of the {environment} environment no longer works.', { environment: environmentWord(session.shown) }), 'bad');
  }, [client, revoked, session]);
  // Memoized, because every component that shows a time is drawn again when it changes.
  const signedIn = useMemo(
    () =>
      settings.data === undefined || key.data === undefined
        ? null
        : {
            ...connection,
            session,
            timeZone: settings.data.project.time_zone,
            settings: settings.data,
            scopes: key.data.scopes,
          },
    [connection, session, settings.data, key.data],
  );
  if (settings.isPending || key.isPending || revoked) return <Loading />;
  if (signedIn === null)
    return (
      <main className="sign-in">
        <Failure error={(settings.error ?? key.error) as ApiError} onRetry={() => void Promise.all([settings.refetch(), key.refetch()])} />
        <Button variant="link" onClick={() => setSession(null)}>
          {text('Sign out')}
        </Button>
      </main>
    );
  return (
    <ConnectionContext.Provider value={connection}>
      <SignedInContext.Provider value={signedIn}>
        <Shell>
          <Screens />
        </Shell>
      </SignedInContext.Provider>
    </ConnectionContext.Provider>
  );
}
