import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { languageOf } from '../code/grammars.ts';
import { markHiddenInHtml } from '../markdown/markHidden.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';

/** The minimum interval between highlighting growing code, in milliseconds. */
const PAUSE_MS = 150;

interface Highlighted {
  readonly code: string;
  readonly html: string;
}

/** Code in the colors of the theme, once it is near the viewport. Highlighted parts stay while more is added. */
export function HighlightedCode({ code, language }: { code: string; language: string }): JSX.Element {
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
      {drawn && <Coloured html={drawn.html} />}
      <HiddenMarked text={drawn ? code.slice(drawn.code.length) : code} />
    </code>
  );
}

/** The highlighter's output: escaped text in elements with only a class. None of its tags can hide anything. */
const Coloured = memo(function Coloured({ html }: { html: string }): JSX.Element {
  return <span dangerouslySetInnerHTML={{ __html: markHiddenInHtml(html) }} />;
});
