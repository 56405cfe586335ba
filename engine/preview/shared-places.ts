/**
 * Places that resource types share. A type may hold as many as are free, and so at most half of them. If `n` types want all they can
 * get, each has one part of `n + 1`, and as many are still free: bots that ask for thousands of items of one customer's slow API do
 * not take the places of the others.
 */
export class SharedPlaces {
  readonly #places: number;
  readonly #taken = new Map<string, number>();
  #sum = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** The number of places that are taken. */
  get taken(): number {
    return this.#sum;
  }

  hasRoom(resourceTypeId: string): boolean {
    return (this.#taken.get(resourceTypeId) ?? 0) < this.#places - this.#sum;
  }

  take(resourceTypeId: string): void {
    this.#taken.set(resourceTypeId, (this.#taken.get(resourceTypeId) ?? 0) + 1);
    this.#sum += 1;
  }

  /** Must be called once for each place that was taken. */
  leave(resourceTypeId: string): void {
    const left = (this.#taken.get(resourceTypeId) ?? 0) - 1;
    if (left > 0) this.#taken.set(resourceTypeId, left);
    else this.#taken.delete(resourceTypeId);
    this.#sum -= 1;
  }
}
