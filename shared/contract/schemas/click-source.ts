/** How a visitor came to the address of a link: by scanning its QR code, or in any other way. */
export const CLICK_SOURCES = ['qr', 'link'] as const;
export type ClickSource = (typeof CLICK_SOURCES)[number];
