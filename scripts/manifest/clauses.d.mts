import type { Schema } from './value-type.mjs';

interface Shown {
  readonly when?: string | undefined;
}

/** What of package.json has clauses or ids. */
export interface Contributes {
  readonly commands: readonly { readonly command: string; readonly enablement?: string | undefined }[];
  readonly menus: Readonly<Record<string, readonly Shown[]>>;
  readonly keybindings: readonly Shown[];
  readonly views: Readonly<Record<string, readonly (Shown & { readonly id: string })[]>>;
  readonly viewsWelcome: readonly Shown[];
  readonly walkthroughs: readonly {
    readonly steps: readonly (Shown & { readonly completionEvents: readonly string[] })[];
  }[];
  readonly configuration: { readonly properties: Readonly<Record<string, Schema>> };
}

/** Every clause that says when something shows or works; a walkthrough's step that waits for a context key counts as one. */
export function clausesOf(contributes: Omit<Contributes, 'configuration'>): string[];
