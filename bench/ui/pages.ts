import type { BrowserContext } from 'playwright-core';
import { PageServer } from '../../test/ui/page/harness/server.ts';
import { loadHost } from '../../test/ui/support/host.ts';

/** Serves the built pages and opens a browser for them, as long as it takes to measure something. */
export async function inPage(
  viewport: { readonly width: number; readonly height: number },
  measure: (context: BrowserContext, origin: string) => Promise<void>,
): Promise<void> {
  const host = await loadHost();
  const server = await PageServer.start();
  try {
    const browser = await host.sharedBrowser();
    const context = await browser.newContext({ viewport });
    try {
      await measure(context, server.origin);
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
