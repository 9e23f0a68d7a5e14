import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { linkFiles, mayNameFiles } from '../markdown/fileLinks.ts';
import { Sanitiser } from '../markdown/sanitise.ts';
import { usePage } from './pageContext.ts';

const sanitiser = new Sanitiser();

/** A piece of an answer that is text with marks, made safe, with the files it names as links. */
export const Html = memo(function Html({ html }: { html: string }): JSX.Element {
  const { files } = usePage();
  const block = useRef<HTMLDivElement>(null);
  const safe = useMemo(() => sanitiser.sanitise(html), [html]);
  // Read only where it matters: everything else need not be looked at again when more files are known.
  const known = mayNameFiles(safe) ? files.known.value : undefined;
  useLayoutEffect(() => {
    if (known && block.current) files.want(linkFiles(block.current, known));
  }, [safe, known]);
  return <div ref={block} class="block" dangerouslySetInnerHTML={{ __html: safe }} />;
});
