import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { EditorView } from '../../protocol/views.ts';
import { Icon } from '../components/icon.tsx';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import { rangeText } from './attachmentText.ts';

/** The content of the last text editor: attached to the next question, or suggested. A click toggles this. */
export function EditorChip({ editor }: { editor: EditorView }): JSX.Element {
  const { host } = usePage();
  const { name: path, startLine, endLine, isOn } = editor;
  const name = rangeText({ path, startLine, endLine });
  return (
    <button
      type="button"
      class={`editor-chip ${isOn ? 'on' : ''}`}
      aria-pressed={isOn}
      title={`${name}\n${hint(editor)}`}
      onClick={() => host.send({ type: 'toggleEditor', editor: { name: path, ...range(editor) } })}
    >
      <Icon name={startLine === undefined ? 'file' : 'list-selection'} />
      {/* The end is most useful: the name of the file, and the lines. */}
      <span class="tray-name">
        <span class="visually-hidden">{t('Active editor:')} </span>
        {withHiddenSpelledOut(path.slice(path.lastIndexOf('/') + 1))}
      </span>
      {startLine !== undefined && <span class="editor-chip-lines">{name.slice(name.lastIndexOf(':'))}</span>}
      <Icon name={isOn ? 'close' : 'add'} />
    </button>
  );
}

/** The selected lines, if any. */
export function range({ startLine, endLine }: Pick<EditorView, 'startLine' | 'endLine'>): {
  startLine?: number;
  endLine?: number;
} {
  return startLine === undefined ? {} : { startLine, ...(endLine === undefined ? {} : { endLine }) };
}

function hint({ isOn, isSecret, startLine }: EditorView): string {
  if (isSecret) return t('Named like files with secrets: goes along only when you add it. Click to add it.');
  if (isOn) {
    return startLine === undefined
      ? t('The active editor’s file goes with your question. Click to leave it out.')
      : t('The selection in the active editor goes with your question. Click to leave it out.');
  }
  return startLine === undefined
    ? t('Suggested: the active editor’s file. Click to send it with your questions.')
    : t('Suggested: the selection in the active editor. Click to send it with your questions.');
}
