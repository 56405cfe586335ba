import { invariant } from '../../shared/base/invariant.js';

/** How many calls to one API may be under way at once. The share may change at any moment; what is under way stays. */
export class ConcurrencyLimit {
  share = 0;
  #underWay = 0;

  get underWay(): number {
    return this.#underWay;
  }

  hasRoom(): boolean {
    return this.#underWay < this.share;
  }

  enter(): void {
    invariant(this.hasRoom(), 'a call enters only while there is room');
    this.#underWay += 1;
  }

  leave(): void {
    invariant(this.#underWay > 0, 'only a call that entered leaves');
    this.#underWay -= 1;
  }
}
