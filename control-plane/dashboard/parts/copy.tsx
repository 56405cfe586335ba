import { useEffect, useRef, useState } from 'react';
import { text } from '../language/text.js';
import { IconButton } from './button.js';
import { WholeParts } from './whole-parts.js';

const COPIED_MS = 1600;

/** Copies text to the clipboard. Also works if the page is served over plain http, where the clipboard API is missing. */
async function copyText(copied: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(copied);
  const area = document.createElement('textarea');
  area.value = copied;
  area.className = 'visually-hidden';
  // The element is added beside the focused one, because nothing outside of a modal dialog can be selected while it is open.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function CopyButton({ text: copiedText, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await copyText(copiedText);
    setCopied(true);
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
