import { type ComponentType, lazy, useState } from 'react';

/** Style sheets that failed to load. Importing their script again would not request them again. */
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
 * A component in a separate file, which is loaded when the component is first shown. If loading fails, it is tried again when the component
 * is next mounted. With `lazy` alone, the failure would stay until the page is reloaded.
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
