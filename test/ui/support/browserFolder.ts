import type { Page } from 'playwright-core';
import { until } from '../../fixtures/until.ts';

/** Runs in the page: VS Code keeps each file under its path. */
const inStore = (mode: string, work: string): string => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('vscode-web-db');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const store = opening.result.transaction('vscode-userdata-store', '${mode}').objectStore('vscode-userdata-store');
    const request = ${work};
    request.onerror = () => reject(request.error);
    request.onsuccess = () => { opening.result.close(); resolve(request.result); };
  };
})`;

/** The folder of a workbench without a server: its files are in the browser's storage. */
export class BrowserFolder {
  constructor(private readonly page: () => Page) {}

  /** What a file holds; undefined when there is none. */
  async text(name: string): Promise<string | undefined> {
    const read = inStore('readonly', `store.get(${JSON.stringify(`/workspace/${name}`)})`);
    const text = await this.page().evaluate<string | null>(
      `${read}.then((found) => found === undefined ? null : typeof found === 'string' ? found : new TextDecoder().decode(found))`,
    );
    return text ?? undefined;
  }

  async write(name: string, text: string): Promise<void> {
    const bytes = `new TextEncoder().encode(${JSON.stringify(text)})`;
    const key = JSON.stringify(`/workspace/${name}`);
    await this.page().evaluate(inStore('readwrite', `store.put(${bytes}, ${key})`));
  }

  /** Waits until a file holds this; undefined: until it is gone. */
  async holds(name: string, text: string | undefined): Promise<void> {
    await until(async () => (await this.text(name)) === text, `${name} to be ${text ?? 'gone'}`);
  }
}
