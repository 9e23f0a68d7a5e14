import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useMemo, useRef, useState } from 'preact/hooks';
import { BlockReader, type Block } from '../markdown/blocks.ts';
import { Sanitiser } from '../markdown/sanitise.ts';
import { t } from '../state/texts.ts';
import { CodeBlock } from './codeBlock.tsx';

/** How much of an answer is laid out at once, in characters and blocks; a button shows more. */
const CHARACTERS_AT_ONCE = 120_000;
const BLOCKS_AT_ONCE = 300;

const sanitiser = new Sanitiser();

/** Markdown, streamed: a block that is finished is never drawn again. */
export function Markdown({ text }: { text: string }): JSX.Element {
  const reader = useRef(new BlockReader());
  const [pages, setPages] = useState(1);
  const blocks = useMemo(() => reader.current.read(text), [text]);
  const { shown, isCut } = withinBudget(blocks, pages);
  return (
    <div class="markdown" dir="auto">
      {shown.map((block, index) => (
        <BlockView key={index} block={block} limit={CHARACTERS_AT_ONCE * pages} />
      ))}
      {isCut && (
        <button type="button" class="link-button" onClick={() => setPages(pages * 2)}>
          {t('Show more')}
        </button>
      )}
    </div>
  );
}

const BlockView = memo(
  ({ block, limit }: { block: Block; limit: number }): JSX.Element =>
    block.kind === 'code' ? (
      <CodeBlock code={block.code.slice(0, limit)} whole={block.code} language={block.language} />
    ) : (
      <div class="block" dangerouslySetInnerHTML={{ __html: sanitiser.sanitise(block.html) }} />
    ),
  (before, after) => before.block.raw === after.block.raw && before.limit === after.limit,
);

function withinBudget(blocks: readonly Block[], pages: number): { shown: Block[]; isCut: boolean } {
  const shown: Block[] = [];
  let characters = 0;
  for (const block of blocks) {
    const size = block.kind === 'code' ? block.code.length : block.html.length;
    const isTooMuch =
      characters + size > CHARACTERS_AT_ONCE * pages || shown.length >= BLOCKS_AT_ONCE * pages;
    if (isTooMuch && shown.length > 0) return { shown, isCut: true };
    if (isTooMuch && block.kind === 'html') {
      // One block that is too long by itself is shown as text, as far as there is room.
      return { shown: [{ kind: 'code', raw: block.raw, language: '', code: block.raw }], isCut: true };
    }
    shown.push(block);
    characters += size;
    if (isTooMuch) return { shown, isCut: true };
  }
  return { shown, isCut: false };
}
