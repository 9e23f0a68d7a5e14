import type { Page } from 'playwright-core';

/** Runs in the page: in place of the browser's dialogs, which no test can use, one file of the page's own folder. */
const pickers = `
  const file = async () => (await navigator.storage.getDirectory()).getFileHandle('chats.offshoot.json', { create: true });
  window.showSaveFilePicker = file;
  window.showOpenFilePicker = async () => [await file()];
`;

/** The file that is saved to and opened, until the page is loaded again. */
export class PickedFile {
  constructor(private readonly page: () => Page) {}

  async use(): Promise<void> {
    await this.page().evaluate(pickers);
  }

  async text(): Promise<string> {
    return this.page().evaluate<string>(
      'window.showSaveFilePicker().then((file) => file.getFile()).then((file) => file.text())',
    );
  }
}
