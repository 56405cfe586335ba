import { createRequire } from 'node:module';
import type * as Koffi from 'koffi';

export type BoundFunctions<Functions> =
  | { readonly available: true; readonly functions: Functions }
  | { readonly available: false; readonly reason: string };

/**
 * Binds functions of the C library of this process (glibc, musl or libSystem), called through koffi, which is prebuilt
 * and optional at run time. If koffi does not load (no binary for this platform), or the library lacks what `bind` asks
 * for, the result contains the reason, and the caller does without the functions.
 */
export function bindCLibrary<Functions>(bind: (library: Koffi.LibraryHandle, koffi: typeof Koffi) => Functions): BoundFunctions<Functions> {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    // null: the symbols of this process, whose C library is loaded in any case.
    return { available: true, functions: bind(koffi.load(null), koffi) };
  } catch (error) {
    // koffi gives its errors no codes. Whatever the error is, the functions are not available here.
    return { available: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
