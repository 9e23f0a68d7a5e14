import type { ProgramLock } from '../platform.ts';

/** A lock of the browser, which frees it as soon as its holder ends, for any reason. */
export class WebLock implements ProgramLock {
  private free: (() => void) | undefined;
  private holding: Promise<unknown> = Promise.resolve();

  constructor(private readonly name: string) {}

  get isHeld(): boolean {
    return this.free !== undefined;
  }

  async tryAcquire(): Promise<boolean> {
    if (this.isHeld) return true;
    return new Promise((resolve, reject) => {
      const holding = navigator.locks.request(this.name, { ifAvailable: true }, async (lock) => {
        if (!lock || this.isHeld) {
          resolve(this.isHeld);
          return;
        }
        const released = Promise.withResolvers<undefined>();
        this.free = () => released.resolve(undefined);
        resolve(true);
        await released.promise;
      });
      this.holding = holding.catch((error: unknown) => {
        // It was revoked, or could not be requested.
        this.free = undefined;
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  async confirm(): Promise<boolean> {
    return Promise.resolve(this.isHeld);
  }

  async release(): Promise<void> {
    this.free?.();
    this.free = undefined;
    await this.holding;
  }
}
