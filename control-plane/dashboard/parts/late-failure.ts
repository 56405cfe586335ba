import { useLeaving } from './leave.js';
import { toastFailure } from './toasts.js';

/**
 * Returns a function for the failure of a write that is said beside its button. If that part of the page is no longer shown, a message says
 * it instead.
 */
export function useLateFailure(): (error: Error) => void {
  const leaving = useLeaving();
  return (error) => {
    if (leaving.current.signal.aborted) toastFailure(error);
  };
}
