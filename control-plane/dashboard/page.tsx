import { createRoot } from 'react-dom/client';
import { forgetEarlyAnswers } from './api/early-answers.js';
import { App } from './app.js';
import { FIRST_FORMATS } from './format/first-formats.js';
import { applyLanguage } from './language/language.js';
import { inTurn } from './parts/in-turn.js';
import { keepFocus } from './parts/keep-focus.js';
import { applyTheme } from './parts/theme.js';

/** By this time, the first screen has made all the calls that it makes at once. */
const EARLY_MS = 10_000;

export async function show(): Promise<void> {
  applyTheme();
  keepFocus();
  try {
    await applyLanguage();
  } finally {
    // If its texts cannot be loaded, the page is in English, and the browser's console says why.
    createRoot(document.getElementById('root') as HTMLElement).render(<App />);
    // Runs while the page waits for its first responses, each format in a separate task.
    for (const write of FIRST_FORMATS) inTurn(write);
    setTimeout(forgetEarlyAnswers, EARLY_MS);
  }
}
