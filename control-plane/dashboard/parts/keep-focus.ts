/**
 * When the element that has the focus is removed, such as the row that was deleted, the browser drops the focus, and keyboard and screen
 * reader users are at the beginning of the page. The focus then goes to what is nearest instead: the next row, what has taken its place, what
 * is in front of it, or the heading of the dialog, the card or the screen.
 */

/** The element that had the focus last; null if the user has since pointed at something else. */
let held: HTMLElement | null = null;

/** The name of the control that a placeholder has replaced, such as the heading by which a table is being sorted. */
let wanted: string | null = null;

const PLACEHOLDER = '.skeleton';
const FOCUSABLE = `a[href], button, input, select, textarea, summary, [tabindex="0"], ${PLACEHOLDER}`;
const ROW = 'li, tr, fieldset';
/** What is read from its heading on when another takes its place. */
const WHOLE = 'form, section, .page, .shell';
const PART = 'dialog, section, .field-group, form, main';
const HEADING = ':scope > :is(h1, h2), :scope > :is(header, .field-group-head) :is(h1, h2), :scope > .page h1';

export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    held = target instanceof HTMLElement ? target : null;
  });
  const point = ({ target }: Event) => {
    if (!held?.contains(target as Node)) held = null;
  };
  document.addEventListener('pointerdown', point, true);
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

/** Runs after each change of the page, so it ends at once unless the focus was lost. */
function look(changes: readonly MutationRecord[]): void {
  const lost = held;
  if (lost === null || document.activeElement !== document.body) return;
  const has = (nodes: NodeList) => [...nodes].some((node) => node.contains(lost));
  // Moving an element to another place takes the focus from it as well.
  if (lost.isConnected && changes.some(({ addedNodes }) => has(addedNodes))) lost.focus({ preventScroll: true });
  const removal = lost.isConnected ? undefined : changes.find(({ removedNodes, target }) => target.isConnected && has(removedNodes));
  if (removal !== undefined) take(nearest(removal, changes), lost);
}

function take(next: HTMLElement | undefined, lost: HTMLElement): void {
  if (next?.matches(PLACEHOLDER)) {
    next.tabIndex = -1;
    if (!lost.matches(PLACEHOLDER)) wanted = nameOf(lost);
  }
  next?.focus({ preventScroll: true });
}

function nameOf(element: HTMLElement): string | null {
  return element.getAttribute('aria-label') ?? element.firstChild?.textContent ?? null;
}

/** Undefined if the screen has nothing yet: its heading takes the focus when it comes. */
function nearest({ target, removedNodes, previousSibling, nextSibling }: MutationRecord, changes: readonly MutationRecord[]) {
  const [removed] = removedNodes;
  const isOf = (selector: string) => removed instanceof Element && removed.matches(selector);
  const added = isOf(WHOLE) ? [] : changes.flatMap((change) => (change.target === target ? [...change.addedNodes] : []));
  const after = isOf(ROW) ? [nextSibling, previousSibling] : [];
  const others = [...after, ...added].flatMap(allIn);
  return (
    (isOf(PLACEHOLDER) ? others.find((each) => nameOf(each) === wanted) : undefined) ??
    others[0] ??
    (isOf(WHOLE) ? undefined : allIn(previousSibling).at(-1)) ??
    ofPart((target as Element).closest(PART)) ??
    (document.querySelector('dialog[open]') === null ? headingIn(document.querySelector('main'), 'h1') : undefined)
  );
}

function ofPart(part: Element | null | undefined): HTMLElement | undefined {
  if (part == null) return undefined;
  return headingIn(part, HEADING) ?? allIn(part)[0] ?? ofPart(part.parentElement?.closest(PART));
}

function allIn(node: Node | null): readonly HTMLElement[] {
  if (!(node instanceof HTMLElement) || !node.isConnected) return [];
  return [...(node.matches(FOCUSABLE) ? [node] : []), ...node.querySelectorAll<HTMLElement>(FOCUSABLE)];
}

/** The heading, which can take the focus from here, but not by the Tab key. */
function headingIn(part: Element | null, selector: string): HTMLElement | undefined {
  const heading = part?.querySelector<HTMLElement>(selector) ?? undefined;
  if (heading !== undefined && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  return heading;
}
