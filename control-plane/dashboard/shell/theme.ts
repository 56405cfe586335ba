/** The theme is the system's, unless the reader has chosen one. */
export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'theme';

export function theme(): Theme {
  const chosen = localStorage.getItem(STORAGE_KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    document.documentElement.dataset.theme = theme();
  });
}

export function toggleTheme(): Theme {
  const next = theme() === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORAGE_KEY, next);
  document.documentElement.dataset.theme = next;
  return next;
}
