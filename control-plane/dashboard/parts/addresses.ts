/**
 * The address of the screen that an address belongs to. What follows `/analytics`, or the `/list` of another screen, holds filters and the
 * like. The screen stays the same when they change.
 */
export function screenOf(location: string): string {
  return location.replace(/(?:(?<=^\/analytics)|\/list)\/.*/, '') || '/';
}

/** The address of the list that a screen belongs to: `/links` for `/links/lnk_1/edit`, and `/` for the overview. */
export function sectionOf(location: string): string {
  return `/${screenOf(location).split('/')[1] ?? ''}`;
}
