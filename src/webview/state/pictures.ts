import { signal } from '@preact/signals';
import type { Host } from '../answersConnection.ts';
import { drawPicture, type KnownPicture } from './drawPicture.ts';

/** Beyond this number, all pictures are forgotten at once, and requested again where they are still visible. */
const MAX_KNOWN = 50;

/** The addresses that the page may show. */
const SAFE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]*$/i;

export class Pictures {
  /** By name; undefined where there is no such picture. A missing name was not requested yet. */
  readonly known = signal<ReadonlyMap<string, KnownPicture | undefined>>(new Map());
  private readonly asked = new Set<string>();

  constructor(
    private readonly host: Host,
    private readonly fail: (error: unknown) => void,
  ) {}

  want(names: readonly string[]): void {
    for (const name of names) {
      if (this.asked.has(name)) continue;
      if (this.asked.size >= MAX_KNOWN) this.forget();
      this.asked.add(name);
      this.host
        .sendRequest({ type: 'loadPicture', name })
        .then(({ address }) => this.take(name, address), this.fail);
    }
  }

  private take(name: string, address: string | undefined): Promise<void> {
    const safe = address !== undefined && SAFE.test(address) ? address : undefined;
    return drawPicture(safe, (picture) => {
      this.known.value = new Map([...this.known.value, [name, picture]]);
    });
  }

  private forget(): void {
    this.asked.clear();
    this.known.value = new Map();
  }
}
