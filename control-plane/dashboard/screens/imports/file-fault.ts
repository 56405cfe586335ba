import { type Message, textOf } from '../../language/text.js';

type Values = Readonly<Record<string, string | number>>;

/** What is wrong with a file, in the form in which a worker sends it, because a worker does not know the language of the page. */
export interface Fault {
  readonly reason: Message;
  readonly values: Values;
}

/** Thrown if a file cannot be read, with the reason. */
export class FileFault extends Error {
  override readonly name: string = 'FileFault';
  readonly fault: Fault;

  constructor(reason: Message, values: Values = {}) {
    super(textOf(reason, values));
    this.fault = { reason, values };
  }
}

/** Thrown if the script that reads files cannot be loaded. The file itself may be readable. */
export class ReaderFault extends FileFault {
  override readonly name = 'ReaderFault';
}
