import { invariant } from '../../shared/base/invariant.js';

/** Limits the number of concurrent calls to one API. The share may change at any time; calls under way go on. */
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
