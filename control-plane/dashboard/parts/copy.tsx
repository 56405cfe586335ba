import { useEffect, useRef, useState } from 'react';
import { text } from '../language/text.js';
import { announce } from './announce.js';
import { IconButton } from './button.js';
import { toast } from './toasts.js';
import { WholeParts } from './whole-parts.js';

const COPIED_MS = 1600;

/** Copies text to the clipboard. Returns whether the browser has permitted it. */
async function copyText(copied: string): Promise<boolean> {
  try {
    // Missing if the page is served over plain http. A browser may also refuse it by its settings.
    await navigator.clipboard.writeText(copied);
    return true;
  } catch {
    return copySelected(copied);
  }
}

function copySelected(copied: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = copied;
  area.className = 'visually-hidden';
  // The element is added beside the focused one, because nothing outside of a modal dialog can be selected while it is open.
  (focused?.parentElement ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

export function CopyButton({ text: copiedText, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await copyText(copiedText)))
      return toast(text('The browser does not permit copying. Select the text and copy it yourself.'), 'bad');
    setCopied(true);
    announce(text('Copied'));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  };
  return <IconButton icon={copied ? 'check' : 'copy'} label={copied ? text('Copied') : label} title={label} onClick={() => void copy()} />;
}

/** A value with a button that copies it. */
export function CopyField({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="copy-field">
      <code>
        <WholeParts text={text} />
      </code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
