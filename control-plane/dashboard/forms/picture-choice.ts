import { useRef, useState } from 'react';
import { type PngBounds, pngOfFile } from './png-of-file.js';

interface PictureUse {
  readonly bounds: PngBounds;
  /** Says why a file cannot be used. */
  readonly refusalOf: (fileName: string) => string;
  readonly onPicture: (base64: string, fileName: string) => void;
}

interface PictureChoice {
  /** Why the file that was chosen last cannot be used; null if it can be. */
  readonly refusal: string | null;
  /** For the file input. */
  readonly field: {
    readonly onClick: (event: { readonly currentTarget: HTMLInputElement }) => void;
    readonly onChange: (event: { readonly currentTarget: HTMLInputElement }) => void;
  };
}

/**
 * Converts the pictures that the user chooses into PNGs. This takes a moment, in which the user may change other fields or choose another
 * picture, so that only the last picture counts, and is passed to the latest `onPicture`.
 */
export function usePictureChoice(use: PictureUse): PictureChoice {
  const [refusal, setRefusal] = useState<string | null>(null);
  const latest = useRef(use);
  latest.current = use;
  const lastFile = useRef<File>();
  const convert = async (file: File) => {
    lastFile.current = file;
    const base64 = await pngOfFile(file, use.bounds);
    if (lastFile.current !== file) return;
    setRefusal(base64 === null ? latest.current.refusalOf(file.name) : null);
    if (base64 !== null) latest.current.onPicture(base64, file.name);
  };
  return {
    refusal,
    field: {
      // Otherwise, the browser would not report that the same file is chosen again, after it was changed or its picture was removed.
      onClick: ({ currentTarget }) => {
        currentTarget.value = '';
      },
      onChange: ({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        if (file !== undefined) void convert(file);
      },
    },
  };
}
