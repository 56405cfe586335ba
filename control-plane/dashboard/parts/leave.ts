import { type MutableRefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/**
 * Returns a function that goes to another screen if this one is still shown. A late response therefore does not take users away from the
 * screen that they have gone to in the meantime. With `replace`, the browser's history gets no new entry.
 */
export function useLeave(): (to: string, how?: { readonly replace: boolean }) => void {
  const [, navigate] = useLocation();
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return (to, how) => {
    if (shown.current) navigate(to, how);
  };
}

/** Returns a reference to a controller whose signal aborts when the user leaves this part of the page. Work in progress uses the signal. */
export function useLeaving(): MutableRefObject<AbortController> {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  return leaving;
}
