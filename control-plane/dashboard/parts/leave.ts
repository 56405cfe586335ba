import { type MutableRefObject, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/**
 * Returns a function that goes to another screen, as long as the reader is still on this one: an answer that comes late takes
 * nobody away from what they have gone on to.
 */
export function useLeave(): (to: string) => void {
  const [, navigate] = useLocation();
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return (to) => {
    if (shown.current) navigate(to);
  };
}

/** What is under way for this part of the page takes the signal of it, which says that the reader has gone. */
export function useLeaving(): MutableRefObject<AbortController> {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  return leaving;
}
