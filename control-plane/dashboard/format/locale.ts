/**
 * The language of the dashboard's texts. Times, numbers and names of countries follow it and not the browser: a sentence
 * has words of one language.
 */
export const LOCALE = 'en-GB';
