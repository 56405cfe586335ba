import { useEffect, useRef } from 'react';
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
