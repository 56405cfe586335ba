import { invariant } from './invariant.js';

/** The states of a machine, each with the states from which it may be entered. */
export type Predecessors<State extends string> = Readonly<Record<State, readonly State[]>>;

/** Call this before a machine enters a state. A transition that its table does not have is a fault of the program. */
export function assertTransition<State extends string>(machine: string, predecessors: Predecessors<State>, from: State, to: State): void {
  // The message is built only if it is needed.
  if (!predecessors[to].includes(from)) invariant(false, `${machine} cannot go from '${from}' to '${to}'`);
}
