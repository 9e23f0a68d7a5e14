import type { Browser, Page } from 'playwright-core';
import { Chat, type ThemeName } from './chat.ts';
import { Graph } from './graph.ts';
import type { PageState } from './states.ts';
import { ACTION_LIMIT_MS } from './useServedPage.ts';

/**
 * Opens a page of its own that shows a state.
 * @param origin where the pages are served
 * @param width of what is seen, in pixels; so is the height
 * @returns the page; its context is to be closed
 */
export async function openState(
  browser: Browser,
  origin: string,
  state: PageState,
  { theme, width, height }: { theme: ThemeName; width: number; height: number },
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(ACTION_LIMIT_MS);
  if (state.surface === 'graph') {
    const graph = await Graph.open(context, origin, theme);
    await state.put(graph);
    return graph.page;
  }
  const chat = await Chat.open(context, `${origin}${state.surface === 'tries' ? '/tries' : '/'}`, theme);
  await state.put(chat);
  return chat.page;
}
