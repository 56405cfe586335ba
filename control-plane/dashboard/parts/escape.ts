import { useEffect, useRef } from 'react';

/** Calls the function when Escape is pressed, wherever the focus is: for content that the pointer has made appear over other content. */
export function useEscape(isShown: boolean, hide: () => void): void {
  const latest = useRef(hide);
  latest.current = hide;
  useEffect(() => {
    if (!isShown) return;
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') latest.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isShown]);
}
