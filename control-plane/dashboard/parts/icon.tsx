/** Line icons on a grid of 24 units, drawn for this page. They are only decoration, because words stand beside them or in a label. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM14 4v3h6V4zM4 17v3h6v-3z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  campaign: 'M4 10v4h3l8 4V6l-8 4zM18 9a4 4 0 0 1 0 6',
  domain: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  type: 'M12 3 4 7.5v9L12 21l8-4.5v-9zM4 7.5 12 12l8-4.5M12 12v9',
  template: 'M8 4c-3 0-2 4-2 6 0 1-1 2-2 2 1 0 2 1 2 2 0 2-1 6 2 6M16 4c3 0 2 4 2 6 0 1 1 2 2 2-1 0-2 1-2 2 0 2 1 6-2 6',
  shares: 'M11 4a8 8 0 1 0 9 9h-9zM15 3.5A8 8 0 0 1 20.5 9H15z',
  stats: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  webhook: 'M9 8a3.5 3.5 0 1 1 5.5 2.8L17 15M15 17.5H9.5M8.5 11.5 6 16a3 3 0 1 0 3.5 1.5M17 15a3 3 0 1 1-2 2.5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  health: 'M3 12h4l3-7 4 14 3-7h4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11 12.5 20 4M16 7.5l3 3M13.5 10l2 2',
  keyboard: 'M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M8 15h8',
  check: 'm5 12 5 5L19 7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4 4',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  out: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  back: 'M14 6l-6 6 6 6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z',
  signOut: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  upload: 'M12 16V5M7 10l5-5 5 5M4 19h16',
  download: 'M12 5v11M7 11l5 5 5-5M4 19h16',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.5h.01',
  refresh: 'M20 11a8 8 0 0 0-14.5-3.5L4 9M4 5v4h4M4 13a8 8 0 0 0 14.5 3.5L20 15M20 19v-4h-4',
} as const;

export type IconName = keyof typeof PATHS;

/** Icons that point along the reading direction. They are mirrored if text runs from right to left. */
const POINTING: ReadonlySet<IconName> = new Set(['back', 'out', 'signOut']);

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className={POINTING.has(name) ? 'icon icon-pointing' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
