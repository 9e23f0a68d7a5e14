import type { Browser, Page } from 'playwright-core';
import { Chat, playHost, type ThemeName } from './chat.ts';
import { Graph } from './graph.ts';
import type { PageState } from './states.ts';
import { ACTION_LIMIT_MS } from './useServedPage.ts';

/** Loads the surface of a state again, and has it show the state. */
export async function showState(page: Page, origin: string, state: PageState): Promise<void> {
  if (state.surface === 'graph') return state.put(await Graph.open(page, origin));
  await state.put(await Chat.open(page, `${origin}${state.surface === 'alternatives' ? '/tries' : '/'}`));
}

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
  await playHost(context, theme);
  const page = await context.newPage();
  await showState(page, origin, state);
  return page;
}
