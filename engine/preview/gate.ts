import { invariant } from '../../shared/base/invariant.js';

/** How many calls to one API may be under way at once. The share may change at any moment; what is under way stays. */
export class Gate {
  #share = 0;
  #underWay = 0;

  get underWay(): number {
    return this.#underWay;
  }

  setShare(share: number): void {
    this.#share = share;
  }

  isOpen(): boolean {
    return this.#underWay < this.#share;
  }

  enter(): void {
    invariant(this.isOpen(), 'a call enters only an open gate');
    this.#underWay += 1;
  }

  leave(): void {
    invariant(this.#underWay > 0, 'only a call that entered leaves');
    this.#underWay -= 1;
  }
}
