import { useEffect } from 'preact/hooks';
import { usePage } from './pageContext.ts';

/** Reports when the page gets the focus: commands apply to the chat that had it last. */
export function useFocusNotice(): void {
  const page = usePage();
  useEffect(() => {
    const onFocus = (): void => page.host.send({ type: 'focused' });
    window.addEventListener('focus', onFocus);
    // The page may already have it: a hidden page that is shown again starts from scratch.
    if (document.hasFocus()) onFocus();
    return () => window.removeEventListener('focus', onFocus);
  }, [page]);
}
