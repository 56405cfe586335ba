import { type KeyboardEvent, useRef } from 'react';

interface TabsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly tabs: readonly { readonly value: Value; readonly label: string }[];
  /** Id of the element that shows the chosen tab. */
  readonly panel: string;
  readonly onChange: (value: Value) => void;
  /** For tabs below other tabs. */
  readonly small?: boolean;
}

/** Tabs as in the ARIA Authoring Practices: only the chosen tab is in the Tab order, and the arrow keys move to the others. */
export function Tabs<Value extends string>({ label, value, tabs, panel, onChange, small = false }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const last = tabs.length - 1;
    const [before, after] = [at === 0 ? last : at - 1, at === last ? 0 : at + 1];
    const [left, right] = document.documentElement.dir === 'rtl' ? [after, before] : [before, after];
    const next = { ArrowLeft: left, ArrowRight: right, Home: 0, End: last }[event.key];
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    onChange(tab.value);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next as number]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={small ? 'tabs tabs-small' : 'tabs'}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          aria-controls={panel}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
          onKeyDown={press}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
