import { type ComponentType, lazy, useState } from 'react';

/** Style sheets that could not be loaded. Those who import their script again would not ask for them. */
const missing = new Set<HTMLLinkElement>();
const isStyles = (target: EventTarget | null) => target instanceof HTMLLinkElement && target.rel === 'stylesheet';
addEventListener('error', ({ target }) => isStyles(target) && missing.add(target as HTMLLinkElement), true);

async function loadMissing(): Promise<void> {
  const links = [...missing];
  missing.clear();
  await Promise.all(
    links.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.onload = resolve;
          again.onerror = () => reject(new Error(`${again.href} cannot be loaded`));
          link.replaceWith(again);
        }),
    ),
  );
}

/**
 * A component in a file of its own, which is loaded when it is first seen. What could not be loaded is asked for again when it is next
 * mounted: `lazy` would keep the failure until the page is loaded again.
 */
export function late<Name extends string, Props extends object>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
): ComponentType<Props> {
  let begun: ComponentType<Props> | null = null;
  const begin = () =>
    lazy(async () => {
      try {
        await loadMissing();
        return { default: (await load())[name] };
      } catch (error) {
        begun = null;
        throw error;
      }
    }) as unknown as ComponentType<Props>;
  return function Late(props: Props) {
    begun ??= begin();
    const [Shown] = useState(() => begun as ComponentType<Props>);
    return <Shown {...props} />;
  };
}
