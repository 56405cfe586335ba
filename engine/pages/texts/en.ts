import type { Texts } from './page-texts.js';

export const EN: Texts = {
  status: {
    not_found: { title: 'Link not found', text: 'There is no link at this address. Check it for a typing error.' },
    disabled: { title: 'Link not available', text: 'There is no link at this address any more.' },
    expired: { title: 'Link expired', text: 'This link worked for a limited time, which is over.' },
    deleted: { title: 'Link removed', text: 'This link was removed by its owner.' },
    blocked: { title: 'Link blocked', text: 'This link is blocked because the page it leads to may be dangerous.' },
    method_not_allowed: { title: 'Method not allowed', text: 'A link can only be opened.' },
    unavailable: { title: 'Try again in a moment', text: 'This link could not be looked up just now.' },
    failed: { title: 'Something went wrong', text: 'This link could not be opened. Try again in a moment.' },
    no_destination: {
      title: 'Open it in the app',
      text: 'This link leads into the {project} app. Open it on a device that has the app.',
    },
  },
  open: { title: 'Continue in the {project} app', text: 'Tap the button to open this link in the app.' },
  get: { title: 'Get the {project} app', text: 'This link opens in the app.' },
  open_button: 'Open the app',
  get_button: 'Get the app',
  web_link: 'Continue in the browser',
  support_link: 'Get help',
  in_app_hint:
    'You are inside another app, whose browser may not open this one. Choose “Open in browser” in its menu, then tap the button.',
  password: {
    title: 'Enter the password',
    text: 'This link is protected. Ask the person who sent it to you for the password.',
    label: 'Password',
    button: 'Continue',
    wrong: 'This is not the password. Try again.',
    throttled: 'Too many tries. Wait a minute, then try again.',
    unsent: 'There was no answer. Check your connection, then try again.',
  },
};
