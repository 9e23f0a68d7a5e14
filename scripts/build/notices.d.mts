/** The license texts of what the extension ships, below the project's folder. */
export const notices: string;

/** Stands between two packages. */
export const LINE: string;

/** A package as the notices list it, with the texts of its license. */
export interface NoticedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** The packages of the notices. */
export function sectionsOf(text: string): NoticedPackage[];
