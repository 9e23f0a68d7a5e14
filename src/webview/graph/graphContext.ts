import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { GraphPage } from './graphPage.ts';

export const GraphContext = createContext<GraphPage | undefined>(undefined);

/** The page's store. @throws Error outside the page */
export function useGraph(): GraphPage {
  const page = useContext(GraphContext);
  if (!page) throw new Error('There is no graph around this component.');
  return page;
}
