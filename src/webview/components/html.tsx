import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { linkFiles, mayNameFiles } from '../markdown/fileLinks.ts';
import { hasHiddenCharacters } from '../../protocol/hiddenCharacters.ts';
import { markHiddenIn } from '../markdown/markHidden.ts';
import { showPictures } from '../markdown/markdownPictures.ts';
import { Sanitiser } from '../markdown/sanitise.ts';
import { usePage } from './pageContext.ts';

const sanitiser = new Sanitiser();

/** A part of an answer as sanitized HTML, with links for the files it names. */
export const Html = memo(function Html({ html }: { html: string }): JSX.Element {
  const { files, maths, pictures } = usePage();
  const block = useRef<HTMLDivElement>(null);
  const safe = useMemo(() => sanitiser.sanitise(html), [html]);
  // Read only where needed, so that other parts are not processed again when more files are known.
  const known = mayNameFiles(safe) ? files.known.value : undefined;
  // Runs first: links are then made of text whose hidden characters are already marked.
  useLayoutEffect(() => {
    if (block.current && hasHiddenCharacters(safe)) markHiddenIn(block.current);
  }, [safe]);
  useLayoutEffect(() => {
    if (known && block.current) files.want(linkFiles(block.current, known));
  }, [safe, known]);
  const shown = safe.includes('data-artifact') ? pictures.known.value : undefined;
  useLayoutEffect(() => {
    if (shown && block.current) pictures.want(showPictures(block.current, shown));
  }, [safe, shown]);
  useLayoutEffect(() => {
    if (block.current && safe.includes('data-tex')) maths.show(block.current);
  }, [safe]);
  return <div ref={block} class="block" dangerouslySetInnerHTML={{ __html: safe }} />;
});
