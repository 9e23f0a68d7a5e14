/** How far the user opened things, by their ids: kept while they are far from sight and not drawn at all. */
export class Opened {
  private readonly extents = new Map<string, number>();

  /** `unless` where the user did nothing. */
  get(id: string, unless: number): number {
    return this.extents.get(id) ?? unless;
  }

  set(id: string, extent: number): void {
    this.extents.set(id, extent);
  }
}
