import { createContext, useContext } from 'react';
import type { Environment } from '../../../shared/contract/schemas/environment.js';
import type { Scope } from '../../../shared/contract/schemas/scopes.js';
import type { Connection } from '../api/client.js';
import type { EnvironmentName, Session } from './session.js';

export interface SignedIn {
  readonly session: Session;
  readonly connection: Connection;
  readonly environment: EnvironmentName;
  /** IANA name: every time is shown in the project's zone. */
  readonly timeZone: string;
  readonly settings: Environment;
  /** What the key may do. */
  readonly scopes: readonly Scope[];
}

export const SignedInContext = createContext<SignedIn | null>(null);
export const ConnectionContext = createContext<{ readonly connection: Connection; readonly environment: EnvironmentName } | null>(null);

/** The client and the environment of the signed-in reader. Available only inside the signed-in page. */
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

/** Whether the key may do what needs the scope; anybody may do what needs none. What it may not do is not offered. */
export function useMay(scope: Scope | undefined): boolean {
  const signedIn = useContext(SignedInContext);
  if (scope === undefined) return true;
  if (signedIn === null) throw new Error('used before the environment is known');
  const { scopes } = signedIn;
  // Who may change links may read them (READ_LINKS of the contract).
  return scopes.includes(scope) || (scope === 'links:read' && scopes.includes('links:write'));
}
