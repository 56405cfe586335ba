import { type Message, textOf } from '../../language/text.js';

type Values = Readonly<Record<string, string | number>>;

/** What is wrong with a file, as a worker sends it: a worker knows no language. */
export interface Fault {
  readonly reason: Message;
  readonly values: Values;
}

/** A file cannot be read: why. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly fault: Fault;

  constructor(reason: Message, values: Values = {}) {
    super(textOf(reason, values));
    this.fault = { reason, values };
  }
}
