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

/** A share of one; a dash where there is nothing to have a share in. */
export function share(value: number | null): string {
  return value === null ? '–' : percent.format(value);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size in bytes, in the largest unit that leaves at least one of it. */
export function bytes(value: number): string {
  const step = Math.min(UNITS.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[step] as string,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(value / 1000 ** step);
}
