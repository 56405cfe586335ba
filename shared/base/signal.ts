/** Waits of a loop that can be cut short. A `raise` before `wait` is remembered once, so that no call is lost and many count as one. */
export interface Signal {
  raise(): void;
  /** Resolves at the next `raise`, at once if one came since the last wait, or after the time. Returns which of the two it was. */
  wait(milliseconds: number): Promise<'raised' | 'elapsed'>;
}

export function createSignal(): Signal {
  let raised = false;
  let resume: (() => void) | null = null;
  return {
    raise() {
      raised = true;
      resume?.();
    },
    async wait(milliseconds) {
      if (!raised)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      resume = null;
      if (!raised) return 'elapsed';
      raised = false;
      return 'raised';
    },
  };
}

/** Waits for the whole time even if the signal is raised meanwhile, as after a failure. Ends early if `cut` returns true at a raise. */
export async function pause(signal: Signal, milliseconds: number, cut: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let left = milliseconds; left > 0 && !cut(); left = end - performance.now()) await signal.wait(Math.ceil(left));
}
