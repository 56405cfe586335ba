import { createRoot } from 'react-dom/client';
import { forgetEarlyAnswers } from './api/early-answers.js';
import { App } from './app.js';
import { applyTheme } from './shell/theme.js';

/** By then the first screen has asked for all that it needs at once. */
const EARLY_MS = 10_000;

export function show(): void {
  applyTheme();
  createRoot(document.getElementById('root') as HTMLElement).render(<App />);
  setTimeout(forgetEarlyAnswers, EARLY_MS);
}
