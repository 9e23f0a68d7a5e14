import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useMemo, useRef, useLayoutEffect } from 'preact/hooks';
import { withHiddenSpelledOut, hasHiddenCharacters } from '../../base/hiddenCharacters.ts';
import { BlockReader, takeBlocks, type Block } from '../markdown/blocks.ts';
import { t } from '../state/texts.ts';
import { CodeBlock } from './codeBlock.tsx';
import { HiddenMarked, markHiddenIn } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';
import { useOpened } from './disclosure.tsx';
import { linkFiles, mayNameFiles } from '../markdown/fileMentions.ts';
import type { KnownPicture } from '../state/drawPicture.ts';
import { Sanitiser } from '../markdown/sanitise.ts';

const sanitiser = new Sanitiser();

const Html = memo(function Html({ html }: { html: string }): JSX.Element {
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

/**
 * @param known by name, undefined where there is no such picture
 * @returns the names that are not known yet
 */
function showPictures(root: Element, known: ReadonlyMap<string, KnownPicture | undefined>): string[] {
  const unknown: string[] = [];
  for (const image of root.querySelectorAll('img[data-artifact]:not([src])')) {
    const name = image.getAttribute('data-artifact') ?? '';
    const picture = known.get(name);
    if (picture) showPicture(image, picture);
    // Its description, as for every picture that cannot be shown.
    else if (known.has(name)) image.replaceWith(image.getAttribute('alt') ?? '');
    else unknown.push(name);
  }
  return unknown;
}

function showPicture(image: Element, { address, width, height }: KnownPicture): void {
  if (height > 0) {
    image.setAttribute('width', String(width));
    image.setAttribute('height', String(height));
  }
  image.setAttribute('src', address);
}

/** How much of an answer is parsed and laid out initially, in characters and blocks; a button shows more. */
const CHARACTERS_AT_FIRST = 120_000;
const BLOCKS_AT_FIRST = 300;

/** For plain text, in characters. */
const PLAIN_AT_FIRST = 20_000;

/** As plain text where pages crashed on it. `id` is unique in the page. */
export function Markdown(props: { id: string; text: string }): JSX.Element {
  return usePage().isPlain.value ? <PlainText {...props} /> : <RenderedMarkdown {...props} />;
}

/** No element is made from its content. */
function PlainText({ id, text }: { id: string; text: string }): JSX.Element {
  const [pages, setPages] = useOpened(`${id} plain`, 1);
  const end = PLAIN_AT_FIRST * pages;
  return (
    <div class="markdown" dir="auto">
      <p class="block plain">{withHiddenSpelledOut(text.slice(0, end))}</p>
      {end < text.length && (
        <button type="button" class="link-button" onClick={() => setPages(pages * 2)}>
          {t('Show more')}
        </button>
      )}
    </div>
  );
}

/** Streamed Markdown: a finished block is never redrawn. `id` is unique in the page. */
function RenderedMarkdown({ id, text }: { id: string; text: string }): JSX.Element {
  const reader = useRef(new BlockReader());
  const [pages, setPages] = useOpened(id, 1);
  const readable = text.slice(0, CHARACTERS_AT_FIRST * pages);
  const blocks = useMemo(() => reader.current.read(readable), [readable]);
  const shown = takeBlocks(blocks, BLOCKS_AT_FIRST * pages);
  const isTextCut = readable.length < text.length;
  const isCut = isTextCut || shown !== blocks;
  return (
    <div class="markdown" dir="auto">
      <Blocks blocks={shown} isLastCut={isTextCut} />
      {isCut && (
        <button type="button" class="link-button" onClick={() => setPages(pages * 2)}>
          {t('Show more')}
        </button>
      )}
    </div>
  );
}

interface BlocksProps {
  readonly blocks: readonly Block[];
  /** The last one may be incomplete. */
  readonly isLastCut?: boolean;
}

function Blocks({ blocks, isLastCut = false }: BlocksProps): JSX.Element {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} isCut={isLastCut && index === blocks.length - 1} />
      ))}
    </>
  );
}

/** A finished block is the same object each time. */
const BlockView = memo(function BlockView({ block, isCut }: { block: Block; isCut: boolean }): JSX.Element {
  switch (block.kind) {
    case 'code':
      return <CodeBlock {...block} isCut={isCut} />;
    case 'html':
      return <Html html={block.html} />;
    case 'text':
      return (
        <p class="block plain">
          <HiddenMarked text={block.text} />
        </p>
      );
    case 'quote':
      return (
        <blockquote class="block">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List {...block} />;
  }
});

function List({ start, items }: Extract<Block, { kind: 'list' }>): JSX.Element {
  const shown = items.map(({ isDone, blocks }, index) => (
    <li key={index} class={isDone === undefined ? undefined : 'task'}>
      {isDone !== undefined && (
        <input type="checkbox" disabled checked={isDone} aria-label={isDone ? t('Done') : t('To do')} />
      )}
      <Blocks blocks={blocks} />
    </li>
  ));
  return start === undefined ? (
    <ul class="block">{shown}</ul>
  ) : (
    <ol class="block" start={start}>
      {shown}
    </ol>
  );
}
