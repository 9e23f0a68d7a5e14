import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Page } from '../state/page.ts';

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A component stands outside the page.');
  return page;
}
