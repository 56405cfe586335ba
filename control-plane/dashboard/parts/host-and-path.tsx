import { withoutScheme } from '../format/urls.js';

/** A URL on one line. Its path distinguishes it from others of a list, so the host is shortened first. */
export function HostAndPath({ url }: { readonly url: string }) {
  const [, host, path] = /^([^/?#]*)(.*)$/s.exec(withoutScheme(url)) ?? [];
  return (
    <>
      <span className="url-host one-line">{host}</span>
      <span className="url-path one-line">{path}</span>
    </>
  );
}
