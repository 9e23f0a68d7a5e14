/** How far the user opened elements, by id: kept while they are not drawn. */
export class Opened {
  private readonly extents = new Map<string, number>();

  /** `unless` if the user did not change it. */
  get(id: string, unless: number): number {
    return this.extents.get(id) ?? unless;
  }

  set(id: string, extent: number): void {
    this.extents.set(id, extent);
  }
}
