import { type Message, message } from '../language/text.js';
import { screenOf } from '../parts/addresses.js';
import type { IconName } from '../parts/icon.js';

/** The screens of the side bar. */
export const NAVIGATION: readonly { readonly title: Message; readonly items: readonly NavigationItem[] }[] = [
  {
    title: message('Links'),
    items: [
      { to: '/', label: message('Overview'), icon: 'overview' },
      { to: '/links', label: message('Links'), icon: 'link' },
      { to: '/campaigns', label: message('Campaigns'), icon: 'campaign' },
      { to: '/domains', label: message('Domains'), icon: 'domain' },
      { to: '/analytics', label: message('Analytics'), icon: 'stats' },
    ],
  },
  {
    title: message('Resources'),
    items: [
      { to: '/resource-types', label: message('Resource types'), icon: 'type' },
      { to: '/url-templates', label: message('URL templates'), icon: 'template' },
      { to: '/stats', label: message('Statistics'), icon: 'shares' },
    ],
  },
  {
    title: message('Environment'),
    items: [
      { to: '/webhooks', label: message('Webhooks'), icon: 'webhook' },
      { to: '/keys', label: message('API keys'), icon: 'key' },
      { to: '/settings', label: message('Settings'), icon: 'settings' },
      { to: '/health', label: message('Health'), icon: 'health' },
    ],
  },
];

export interface NavigationItem {
  readonly to: string;
  readonly label: Message;
  readonly icon: IconName;
}

export function isCurrent(item: NavigationItem, location: string): boolean {
  const screen = screenOf(location);
  return screen === item.to || (item.to !== '/' && screen.startsWith(`${item.to}/`));
}
