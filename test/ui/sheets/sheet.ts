import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { root } from '../support/host.ts';

/** A picture on a sheet, and what stands above it. */
export interface Tile {
  readonly title: string;
  readonly png: Buffer;
}

export const sheetFolder = path.join(root, 'out', 'screenshots');

/** Lays pictures out in rows, in one PNG. */
export async function writeSheet(
  browser: Browser,
  name: string,
  rows: readonly (readonly Tile[])[],
): Promise<void> {
  const figure = ({ title, png }: Tile): string =>
    `<figure><figcaption>${title}</figcaption><img src="data:image/png;base64,${png.toString('base64')}"></figure>`;
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  try {
    await page.setContent(`<style>
      body { display: inline-flex; flex-direction: column; gap: 8px; margin: 8px; background: #888; font: 11px sans-serif; }
      div { display: flex; gap: 8px; align-items: flex-start; }
      figure { margin: 0; } figcaption { padding: 1px 4px; background: #fff; } img { display: block; }
    </style>${rows.map((row) => `<div>${row.map(figure).join('')}</div>`).join('')}`);
    await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
    await mkdir(sheetFolder, { recursive: true });
    await page
      .locator('body')
      .screenshot({ path: path.join(sheetFolder, `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.png`) });
  } finally {
    await page.close();
  }
}
