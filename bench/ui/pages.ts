import type { Page } from 'playwright-core';
import { playHost } from '../../test/ui/page/harness/chat.ts';
import { PageServer } from '../../test/ui/page/harness/server.ts';
import { loadHost } from '../../test/ui/support/host.ts';

/** Serves the built pages and opens an empty page for them, as long as it takes to measure something. */
export async function inPage(
  viewport: { readonly width: number; readonly height: number },
  measure: (page: Page, origin: string) => Promise<void>,
): Promise<void> {
  const host = await loadHost();
  const server = await PageServer.start();
  try {
    const browser = await host.sharedBrowser();
    const context = await browser.newContext({ viewport });
    try {
      await playHost(context, 'Default Dark Modern');
      await measure(await context.newPage(), server.origin);
    } finally {
      await context.close();
    }
  } finally {
    await server.stop();
  }
}

export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
