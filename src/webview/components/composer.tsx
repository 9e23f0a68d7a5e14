import type { JSX } from 'preact';
import { batch } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_QUESTION_LENGTH } from '../../protocol/chatFromPage.ts';
import { filesOf } from '../attachments/pendingAttachments.ts';
import { range, AttachmentTray } from '../attachments/attachmentTray.tsx';
import { COMPLETION_ID, CompletionList, useCompletion } from '../completion/completion.tsx';
import { useMentions } from '../completion/mentions.ts';
import { useSlashList, readSlashCommand, type SlashAction } from '../completion/slashList.ts';
import { focusComposer, focusMessage, isTypingElsewhere } from '../focus.ts';
import { isOfInputMethod } from '../inputMethod.ts';
import { numberText, t } from '../state/texts.ts';
import { Icon, IconButton } from './icon.tsx';
import { ComposerChoices } from './composerChoices.tsx';
import { usePage } from './pageContext.ts';
import { useRecall, writeInput } from './composerInput.ts';

type How = 'message' | 'steering' | 'sideQuestion';

export function Composer(): JSX.Element | null {
  const page = usePage();
  const { host } = page;
  const conversation = page.conversation.value;
  const { drafts } = page;
  const text = drafts.text.value;
  const [isSideQuestion, setSideQuestion] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const isWriting = useRef(false);
  /** A text submitted before its destination was known. */
  const [held, setHeld] = useState<{ readonly how: How; readonly text: string }>();
  const { attachments } = page;
  const chips = attachments.chips.value;
  const composerPrefill = page.composerPrefill.value;

  /** Puts a text into the input; can be undone. */
  const write = (next: string, caret?: number): void => {
    isWriting.current = true;
    const isWritten = input.current !== null && writeInput(input.current, next, caret);
    isWriting.current = false;
    if (!isWritten) drafts.text.value = next;
  };

  useEffect(() => {
    if (!composerPrefill) return;
    const { text: given, isStored = false, isReply = false } = composerPrefill;
    const staysElsewhere = isReply && isTypingElsewhere();
    if (given !== undefined) {
      const typed = drafts.text.peek();
      // Incoming text does not replace a half-typed one.
      const isFree = typed.trim() === '' || typed === drafts.filled.peek();
      batch(() => {
        drafts.filled.value = isStored && given !== '' ? given : undefined;
        const next = isFree ? given : [given, typed].filter((each) => each !== '').join('\n\n');
        if (staysElsewhere) drafts.text.value = next;
        else write(next);
      });
    }
    setSideQuestion(composerPrefill.sideQuestion);
    if (!staysElsewhere) focusComposer();
    // A prefill that arrived since is kept.
    if (page.composerPrefill.peek() === composerPrefill) page.composerPrefill.value = undefined;
  }, [composerPrefill]);

  const slash = useSlashList(
    (name) => sendText('message', `/${name}`),
    (next) => write(next),
  );
  const completion = useCompletion([slash, useMentions((next, caret) => write(next, caret))]);
  const recall = useRecall(page, (next) => write(next));

  const { isReadOnly = false, readOnlyReason, messageCount = 0 } = conversation ?? {};
  const isStreaming = page.runningId.value !== undefined;
  const canStop = isStreaming && page.running.peek()?.isElsewhere !== true;
  const canAskSideQuestion = messageCount > 0;
  const trimmed = text.trim();
  const canSend = conversation !== undefined && !isReadOnly && (trimmed !== '' || chips.length > 0);
  const asksSideQuestion = canAskSideQuestion && isSideQuestion;

  const clear = (): void => {
    batch(() => {
      drafts.text.value = '';
      drafts.filled.value = undefined;
    });
    setSideQuestion(false);
    // The pressed button turns into another one, which the next key must not press.
    focusComposer();
  };
  const act = (action: SlashAction): void => {
    clear();
    if (action.kind === 'help') {
      write('/');
      completion.typed('/', 1);
    } else if (action.kind === 'sideQuestion') setSideQuestion(canAskSideQuestion);
    else host.send({ type: 'runSlashCommand', ...action.run });
  };
  const send = (how: How): void => sendText(how, text);
  const sendText = (how: How, typed: string): void => {
    const trimmed = typed.trim();
    if (!conversation && trimmed !== '') setHeld({ how, text: typed });
    const isSomething = trimmed !== '' || chips.length > 0;
    if (conversation === undefined || isReadOnly || !isSomething) return;
    const slashed = readSlashCommand(trimmed);
    if (slashed?.kind === 'ask') sendText('sideQuestion', slashed.question);
    else if (slashed) act(slashed);
    else ask(how, trimmed);
  };
  const ask = (how: How, trimmed: string): void => {
    if (trimmed.length > MAX_QUESTION_LENGTH) {
      page.fail(t('This is too long to ask: at most {0} characters.', numberText(MAX_QUESTION_LENGTH)));
      return;
    }
    const given = attachments.take();
    const editor = page.activeEditor.peek();
    const asked = {
      text: trimmed,
      ...(given.length === 0 ? {} : { attachments: given }),
      ...(editor?.isOn === true ? { editor: { name: editor.name, ...range(editor) } } : {}),
    };
    if (how === 'sideQuestion' && canAskSideQuestion) host.send({ type: 'askSideQuestion', ...asked });
    else
      host.send({
        type: 'sendMessage',
        ...asked,
        ...(how === 'steering' && isStreaming ? { steers: true } : {}),
      });
    clear();
  };
  useEffect(() => {
    if (!conversation || !held) return;
    setHeld(undefined);
    // The held text may have been combined with an older draft.
    if (held.text === text) send(held.how);
  }, [conversation, held]);
  const stop = (): void => {
    if (conversation) host.send({ type: 'stopAnswer', branch: conversation.branch });
  };

  /** Files are added as pictures and PDFs; text is pasted as usual. */
  const takePasted = (event: ClipboardEvent): void => {
    const files = filesOf(event.clipboardData);
    if (files.length === 0 || isReadOnly) return;
    event.preventDefault();
    void attachments.addFiles(files);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isOfInputMethod(event) || completion.pressed(event) || recall.pressed(event, text)) return;
    if (event.key === 'Tab' && event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey) {
      // The whole list is one tab stop: elements between it and the input are reached from there with Tab.
      const message = document.querySelector<HTMLElement>('.message[tabindex="0"]');
      if (!message) return;
      event.preventDefault();
      focusMessage(message);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      // A second question for the branch has to wait; a side question does not.
      if (event.ctrlKey || event.metaKey || isSideQuestion) send('sideQuestion');
      else send(event.altKey ? 'steering' : 'message');
    } else if (event.key === 'Escape') {
      // Canceling a side question must not stop the running answer.
      if (isSideQuestion) setSideQuestion(false);
      else if (canStop) stop();
      else return;
      event.preventDefault();
    }
  };

  // The user can type before the content is known. Where nothing can be shown, there is nothing to ask.
  if (!conversation && page.refusal.value !== undefined) return null;
  return (
    <div class={`composer ${asksSideQuestion ? 'aside-mode' : ''}`}>
      <CompletionList completion={completion} />
      <AttachmentTray />
      <textarea
        ref={input}
        rows={1}
        dir={directionOf(text)}
        aria-label={t('Message')}
        placeholder={readOnlyReason ?? placeholder(isReadOnly, asksSideQuestion)}
        disabled={isReadOnly}
        value={text}
        aria-autocomplete="list"
        aria-controls={completion.source ? COMPLETION_ID : undefined}
        aria-activedescendant={completion.source ? `${COMPLETION_ID}-${completion.active}` : undefined}
        onInput={(event) => {
          const { value, selectionStart } = event.currentTarget;
          drafts.text.value = value;
          setHeld(undefined);
          // Inserted text with an @ does not request a file.
          if (conversation && !isWriting.current) completion.typed(value, selectionStart);
        }}
        onPaste={takePasted}
        onKeyDown={onKeyDown}
      />
      {isStreaming && trimmed !== '' && (
        <p class="composer-hint">
          {t('Enter queues it, Alt+Enter sends it at the next step, Ctrl+Enter asks by the way.')}
        </p>
      )}
      <div class="composer-bar">
        {conversation && <ComposerChoices conversation={conversation} />}
        <span class="spacer" />
        {canAskSideQuestion && (
          <button
            type="button"
            class={`btw-button ${asksSideQuestion ? 'prominent' : ''}`}
            title={t('Ask by the way on a separate branch (Ctrl+Enter)')}
            disabled={!canSend}
            onClick={() => send('sideQuestion')}
          >
            <Icon name="comment-unresolved" />
            <span class="visually-hidden">{t('By the way')}</span>
            {/* Hidden where there is no room, but still announced. */}
            <span class="btw-name" aria-hidden="true">
              {t('By the way')}
            </span>
          </button>
        )}
        {conversation && (!canStop || canSend) && (
          <IconButton
            icon="send"
            class={isStreaming ? '' : 'primary'}
            label={isStreaming && !isSideQuestion ? t('Add to Queue') : t('Send')}
            disabled={!canSend}
            onClick={() => send(isSideQuestion ? 'sideQuestion' : 'message')}
          />
        )}
        {canStop && <IconButton icon="debug-stop" class="primary" label={t('Stop')} onClick={stop} />}
      </div>
    </div>
  );
}

function placeholder(isReadOnly: boolean, asksSideQuestion: boolean): string {
  if (isReadOnly) return t('Read-only in this window');
  return asksSideQuestion ? t('Ask something by the way') : t('Ask anything');
}

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** By the first letter, as `dir="auto"` does; the attribute takes Chromium seconds per key in a huge text. */
function directionOf(text: string): 'rtl' | undefined {
  const [letter = ''] = /\p{L}/u.exec(text.slice(0, 1_000)) ?? [];
  return rightToLeft.test(letter) ? 'rtl' : undefined;
}
