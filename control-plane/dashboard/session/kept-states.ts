/** What screens remember until the page is closed or the user signs out: filters of lists, and the address at which a list was left. */
const kept = new Map<string, unknown>();

const keyOf = (environment: string, name: string) => `${environment} ${name}`;

export function keptState<Value>(environment: string, name: string): Value | undefined {
  return kept.get(keyOf(environment, name)) as Value | undefined;
}

export function keepState(environment: string, name: string, value: unknown): void {
  kept.set(keyOf(environment, name), value);
}

/** Drops everything, so that no state of one project is shown in another. */
export function dropAllStates(): void {
  kept.clear();
}
