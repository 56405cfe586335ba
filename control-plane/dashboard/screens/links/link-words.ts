/** Platforms and UTM fields: their names in the API and their labels. */

export const PLATFORM_LABELS = { web: 'Web', ios: 'iOS', android: 'Android', desktop: 'Desktop', fallback: 'Fallback' } as const;
export const PLATFORM_NAMES = Object.keys(PLATFORM_LABELS) as readonly (keyof typeof PLATFORM_LABELS)[];

export const UTM_LABELS = {
  utm_source: 'UTM source',
  utm_medium: 'UTM medium',
  utm_campaign: 'UTM campaign',
  utm_term: 'UTM term',
  utm_content: 'UTM content',
} as const;
export const UTM_NAMES = Object.keys(UTM_LABELS) as readonly (keyof typeof UTM_LABELS)[];
