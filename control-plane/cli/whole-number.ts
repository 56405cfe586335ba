import { InvalidArgumentError } from 'commander';

/** Returns a parser of an option that is a whole number from 1 to `max`. */
export function wholeNumberUpTo(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < 1 || number > max) throw new InvalidArgumentError(`expected a whole number from 1 to ${max}`);
    return number;
  };
}
