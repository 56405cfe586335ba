const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Exact below ten thousand, else rounded to three digits: 12.3K. */
export function count(value: number): string {
  return value < 10_000 ? whole.format(value) : compact.format(value);
}

export function exactCount(value: number): string {
  return whole.format(value);
}

/** A share of one; a dash if there is nothing to have a share in. */
export function share(value: number | null): string {
  return value === null ? '–' : percent.format(value);
}
