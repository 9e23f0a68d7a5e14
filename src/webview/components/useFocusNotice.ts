import { useEffect } from 'preact/hooks';
import { usePage } from './pageContext.ts';

/** Says when the keyboard comes to the page: commands are about the chat that had it last. */
export function useFocusNotice(): void {
  const page = usePage();
  useEffect(() => {
    const onFocus = (): void => page.host.send({ type: 'focused' });
    window.addEventListener('focus', onFocus);
    // It may be here already: what was hidden and is shown again begins anew.
    if (document.hasFocus()) onFocus();
    return () => window.removeEventListener('focus', onFocus);
  }, [page]);
}
