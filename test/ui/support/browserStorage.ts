import type { Page } from 'playwright-core';
import { until } from '../../fixtures/until.ts';

/** Runs in the page: all bytes that the extension keeps, as text. */
const allText = `(async () => {
  const decoder = new TextDecoder();
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  let text = '';
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('offshoot ')) continue;
    const database = await done(indexedDB.open(name));
    const stored = await done(database.transaction('chunks').objectStore('chunks').getAll());
    database.close();
    for (const bytes of stored) text += decoder.decode(bytes);
  }
  return text;
})()`;

/** What the extension keeps in the browser, where VS Code has no server. */
export class BrowserStorage {
  constructor(private readonly page: () => Page) {}

  /** Waits until this stands in what is stored. */
  async holds(text: string): Promise<void> {
    await until(
      async () => (await this.page().evaluate<string>(allText)).includes(text),
      `${text} to be stored`,
    );
  }

  /** Which window writes: a name that the browser gave it. */
  async writer(): Promise<string | undefined> {
    const name = await this.page().evaluate<string | null>(
      `navigator.locks.query().then(({ held }) => held.find(({ name }) => name.includes(' writer '))?.clientId ?? null)`,
    );
    return name ?? undefined;
  }

  /** Removes all that the site keeps in databases, as the browser does that needs room, or its user. */
  async clear(): Promise<void> {
    const session = await this.page().context().newCDPSession(this.page());
    const origin = new URL(this.page().url()).origin;
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    await session.detach();
  }
}
