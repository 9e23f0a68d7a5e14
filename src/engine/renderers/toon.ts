import { encode } from '@toon-format/toon';
import type { Fragment } from '../fragments/fragment.ts';
import type { ContextRenderer, RendererOptions } from './contextRenderer.ts';
import { membersJson, plainFragments } from './plain.ts';

/** The system prompt in TOON, a notation that takes fewer tokens than JSON. A repeated name becomes a list. */
export class ToonRenderer implements ContextRenderer {
  constructor(private readonly options: RendererOptions = {}) {}

  /** Writes fragments as TOON. */
  render(fragments: readonly Fragment[]): string {
    const entries = plainFragments(fragments, this.options);
    return entries.length === 0 ? '' : encode(membersJson(entries));
  }
}
