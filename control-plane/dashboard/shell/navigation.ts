import type { IconName } from '../parts/icon.js';

/** The screens of the side bar. */
export const NAVIGATION: readonly { readonly title: string; readonly items: readonly NavigationItem[] }[] = [
  {
    title: 'Links',
    items: [
      { to: '/', label: 'Overview', icon: 'overview' },
      { to: '/links', label: 'Links', icon: 'link' },
      { to: '/campaigns', label: 'Campaigns', icon: 'campaign' },
      { to: '/domains', label: 'Domains', icon: 'domain' },
      { to: '/analytics', label: 'Analytics', icon: 'stats' },
    ],
  },
  {
    title: 'Resources',
    items: [
      { to: '/resource-types', label: 'Resource types', icon: 'type' },
      { to: '/url-templates', label: 'URL templates', icon: 'template' },
      { to: '/stats', label: 'Statistics', icon: 'stats' },
    ],
  },
  {
    title: 'Environment',
    items: [
      { to: '/webhooks', label: 'Webhooks', icon: 'webhook' },
      { to: '/keys', label: 'API keys', icon: 'key' },
      { to: '/settings', label: 'Settings', icon: 'settings' },
      { to: '/health', label: 'Health', icon: 'health' },
    ],
  },
];

export interface NavigationItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
}

export function isCurrent(item: NavigationItem, location: string): boolean {
  return item.to === '/' ? location === '/' : location === item.to || location.startsWith(`${item.to}/`);
}
