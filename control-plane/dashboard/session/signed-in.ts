import { createContext, useContext } from 'react';
import type { Environment } from '../../../shared/contract/schemas/environment.js';
import type { Scope } from '../../../shared/contract/schemas/scopes.js';
import type { Connection } from '../api/client.js';
import type { EnvironmentName, Session } from './session.js';

export interface SignedIn {
  readonly session: Session;
  readonly connection: Connection;
  readonly environment: EnvironmentName;
  /** IANA name of the project's time zone, in which every time is shown. */
  readonly timeZone: string;
  readonly settings: Environment;
  /** What the key is allowed to do. */
  readonly scopes: readonly Scope[];
}

export const SignedInContext = createContext<SignedIn | null>(null);
export const ConnectionContext = createContext<{ readonly connection: Connection; readonly environment: EnvironmentName } | null>(null);

/** The connection and the environment of the signed-in user. Throws outside of the signed-in page. */
export function useConnection(): { readonly connection: Connection; readonly environment: EnvironmentName } {
  const connection = useContext(ConnectionContext);
  if (connection === null) throw new Error('used outside of a session');
  return connection;
}

export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (signedIn === null) throw new Error('used before the environment is known');
  return signedIn;
}

/** Whether the key has the scope; true if no scope is needed. The page does not offer what the key may not do. */
export function useMay(scope: Scope | undefined): boolean {
  const signedIn = useContext(SignedInContext);
  if (scope === undefined) return true;
  if (signedIn === null) throw new Error('used before the environment is known');
  const { scopes } = signedIn;
  // A key that may change links may also read them (READ_LINKS of the contract).
  return scopes.includes(scope) || (scope === 'links:read' && scopes.includes('links:write'));
}
