import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';

/**
 * Notes what a screen reader says by itself: text that comes into a live region that was there before, and alerts. A region that comes together
 * with its text is not read by all of them, and nothing outside of an open modal dialog is.
 */
const LISTEN = `window.spoken = [];
new MutationObserver((changes) => {
  const fresh = changes.flatMap(({ addedNodes }) => [...addedNodes]);
  const modal = [...document.querySelectorAll('dialog[open]')].at(-1);
  const say = (region, node) => {
    const isNew = fresh.some((each) => each.contains(region));
    if (!region.isConnected || (isNew && region.role !== 'alert') || (modal !== undefined && !modal.contains(region))) return;
    if (node.textContent.trim() !== '') window.spoken.push(node.textContent.trim());
  };
  for (const { type, target, addedNodes } of changes)
    for (const node of type === 'characterData' ? [target] : addedNodes) {
      const element = node instanceof Element ? node : node.parentElement;
      const region = element?.closest('[role=status], [role=alert], [aria-live]:not([aria-live=off])');
      if (region) say(region, node);
      else if (node instanceof Element) for (const alert of node.querySelectorAll('[role=alert]')) say(alert, alert);
    }
}).observe(document, { childList: true, subtree: true, characterData: true });`;

export async function listen(page: Page): Promise<void> {
  await page.addInitScript(LISTEN);
}

/** Waits until the text is said. Forgets everything that was said before it. */
export async function hears(page: Page, text: string | RegExp): Promise<void> {
  const wanted = (said: string) => (typeof text === 'string' ? said.includes(text) : text.test(said));
  let all: readonly string[] = [];
  await until(async () => {
    all = (await page.evaluate('window.spoken')) as readonly string[];
    return all.some(wanted);
  }, `"${text}" to be said`);
  await page.evaluate(`window.spoken.splice(0, ${all.findIndex(wanted) + 1})`);
}

/** The name of the element that has the focus; `BODY` if none has it. */
async function focused(page: Page): Promise<string> {
  return (await page.evaluate(`(() => {
    const element = document.activeElement;
    if (element === document.body) return 'BODY';
    return (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent).trim();
  })()`)) as string;
}

/** Waits until the element of this name has the focus, which may follow a change of the screen. */
export async function hasFocus(page: Page, name: string | RegExp): Promise<void> {
  const isWanted = (found: string) => (typeof name === 'string' ? found === name : name.test(found));
  await until(async () => isWanted(await focused(page)), `the focus to be on "${name}"`);
}
