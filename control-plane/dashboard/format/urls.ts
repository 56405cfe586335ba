/** The URL as people write it: without `https://`. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
