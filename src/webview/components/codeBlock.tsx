import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hasHiddenCharacters, withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked, markHiddenInHtml } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { languageOf } from '../code/grammars.ts';
import { ansiPieces, hasAnsi, withoutAnsi } from '../markdown/ansi.ts';

export const AnsiText = memo(function AnsiText({ text }: { text: string }): JSX.Element {
  const isPlain = usePage().isPlain.value;
  if (isPlain) return <>{withHiddenSpelledOut(withoutAnsi(text))}</>;
  if (!hasAnsi(text)) return <HiddenMarked text={text} />;
  return (
    <>
      {ansiPieces(text).map((piece, index) =>
        piece.classes === '' ? (
          <HiddenMarked key={index} text={piece.text} />
        ) : (
          <span key={index} class={piece.classes}>
            <HiddenMarked text={piece.text} />
          </span>
        ),
      )}
    </>
  );
});

/** The minimum interval between highlighting growing code, in milliseconds. */
const PAUSE_MS = 150;

interface Highlighted {
  readonly code: string;
  readonly html: string;
}

/** Code in the colors of the theme, once it is near the viewport. Highlighted parts stay while more is added. */
function HighlightedCode({ code, language }: { code: string; language: string }): JSX.Element {
  const { highlighter } = usePage();
  const element = useRef<HTMLElement>(null);
  const [last, setLast] = useState<Highlighted | undefined>(() => {
    const html = highlighter.known(code, language);
    return html === undefined ? undefined : { code, html };
  });
  const drawn = last && code.startsWith(last.code) ? last : undefined;
  const isDone = drawn?.code === code;

  const wanted = useRef(code);
  wanted.current = code;
  const stop = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    if (isDone || stop.current || !element.current || !highlighter.takes(code, language)) return;
    const ask = (): void => {
      const asked = wanted.current;
      stop.current = highlighter.request(asked, language, (html) => {
        stop.current = undefined;
        setLast({ code: asked, html });
      });
    };
    if (drawn) {
      const timer = setTimeout(ask, PAUSE_MS);
      stop.current = () => clearTimeout(timer);
    } else stop.current = highlighter.near.wait(element.current, ask);
  }, [code, language, last]);
  useEffect(() => () => stop.current?.(), []);

  const name = languageOf(language);
  return (
    <code ref={element} class={name && `language-${name}`}>
      {drawn && <Colored html={drawn.html} />}
      <HiddenMarked text={drawn ? code.slice(drawn.code.length) : code} />
    </code>
  );
}

/** The highlighter's output: escaped text in elements with only a class. None of its tags can hide anything. */
const Colored = memo(function Colored({ html }: { html: string }): JSX.Element {
  return <span dangerouslySetInnerHTML={{ __html: markHiddenInHtml(html) }} />;
});

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  readonly file?: string;
  /** With its terminal codes, if it has any. */
  readonly ansi?: string;
  /** The block was cut off: an incomplete one must not be used. */
  readonly isCut: boolean;
}

export const CodeBlock = memo(function CodeBlock(props: CodeBlockProps): JSX.Element {
  const { code, language, file, ansi, isCut } = props;
  const { host } = usePage();
  const hides = useMemo(() => hasHiddenCharacters(code), [code]);
  return (
    <div class="block code-block">
      <div class="code-head">
        {file === undefined ? (
          <span class="code-language">
            <HiddenMarked text={language} />
          </span>
        ) : (
          <FileName name={file} />
        )}
        {!isCut && (
          <span class="code-actions">
            <IconButton
              icon="diff"
              label={t('Apply as diff')}
              onClick={() =>
                host.send({ type: 'applyCode', code, language, ...(file === undefined ? {} : { file }) })
              }
            />
            <IconButton
              icon="insert"
              label={t('Insert at cursor')}
              onClick={() => host.send({ type: 'insertText', text: code })}
            />
            <IconButton
              icon="copy"
              label={t('Copy code')}
              onClick={() => host.send({ type: 'copyText', text: code })}
            />
          </span>
        )}
      </div>
      {hides && (
        <p class="code-warning" role="note">
          <Icon name="warning" />
          {t('Contains hidden characters. They are copied and inserted too.')}
        </p>
      )}
      <pre tabIndex={0} dir="ltr">
        {ansi === undefined ? (
          <HighlightedCode code={code} language={language} />
        ) : (
          <code>
            <AnsiText text={ansi} />
          </code>
        )}
      </pre>
    </div>
  );
});

function FileName({ name }: { name: string }): JSX.Element {
  const { files } = usePage();
  const file = files.known.value.get(name);
  useEffect(() => files.want([name]), [name]);
  return file ? (
    <span class="code-language file-link" role="link" tabIndex={0} data-href={name} title={file.trueName}>
      {file.trueName}
    </span>
  ) : (
    <span class="code-language">
      <HiddenMarked text={name} />
    </span>
  );
}
