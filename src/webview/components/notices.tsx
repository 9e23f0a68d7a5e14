import type { JSX } from 'preact';
import type { BannerView } from '../../protocol/chatFromHost.ts';
import type { LimitAction, OfferAction } from '../../protocol/views.ts';
import type { Page } from '../state/page.ts';
import { numberText, t } from '../state/texts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

type Severity = BannerView['severity'];

interface Notice {
  readonly id: string;
  readonly severity: Severity;
  /** What it is about, in a few words. */
  readonly title: string;
  readonly text: string;
  /** Left out: that of its severity. */
  readonly icon?: string;
  /** The user is to read it now. */
  readonly isUrgent: boolean;
  readonly actions?: readonly NoticeAction[];
  readonly onDismiss?: () => void;
}

interface NoticeAction {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

export function noticesSegment(page: Page): TraySegment | undefined {
  const notices = noticesOf(page);
  const [worst] = notices;
  if (!worst) return undefined;
  const urgent = notices.filter(({ isUrgent }) => isUrgent);
  const count = numberText(notices.length);
  return {
    id: 'notices',
    icon: worst.icon ?? worst.severity,
    ...(notices.length === 1
      ? { label: worst.title }
      : {
          label: t('{0} notices', count),
          count,
          detail: notices.map(({ title }) => title).join(t(', ')),
        }),
    urgency: urgent.length > 0 ? 'asking' : 'quiet',
    opensFor: urgent.map(({ id }) => `notice ${id}`),
    panel: () => <Notices />,
  };
}

export function Notices(): JSX.Element {
  return (
    <>
      {noticesOf(usePage()).map((notice) => (
        <NoticeRow key={notice.id} notice={notice} />
      ))}
    </>
  );
}

function NoticeRow({
  notice: { severity, icon = severity, text, actions = [], onDismiss },
}: {
  notice: Notice;
}): JSX.Element {
  return (
    <div class={`banner ${severity}`} role={severity === 'info' ? 'note' : 'alert'}>
      <Icon name={icon} />
      <span>
        <HiddenMarked text={text} />
        {actions.map(({ label, disabled = false, onClick }) => (
          <span key={label}>
            {' '}
            <button type="button" class="link-button" disabled={disabled} onClick={onClick}>
              {label}
            </button>
          </span>
        ))}
      </span>
      {onDismiss && <IconButton icon="close" label={t('Dismiss')} onClick={onDismiss} />}
    </div>
  );
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** The most severe first. */
function noticesOf(page: Page): Notice[] {
  const banners = page.conversation.value?.banners ?? [];
  const failed = page.failure.value;
  const notices = [
    ...(failed === undefined ? [] : [failure(page, failed)]),
    ...(page.isPlain.value ? [plainNotice(page)] : []),
    ...contextWarning(page),
    ...banners.map((banner) => ofBanner(page, banner)),
  ];
  return SEVERITIES.flatMap((severity) => notices.filter((notice) => notice.severity === severity));
}

function failure(page: Page, text: string): Notice {
  return {
    id: text,
    severity: 'error',
    title: t('Failed'),
    text,
    isUrgent: true,
    onDismiss: () => page.dismissFailure(),
  };
}

function plainNotice(page: Page): Notice {
  return {
    id: 'plain',
    severity: 'warning',
    title: t('Shown as plain text'),
    text: t('This chat stopped the window twice. It is shown as plain text.'),
    isUrgent: true,
    actions: [{ label: t('Try Rendering Again'), onClick: () => page.renderAgain() }],
  };
}

function contextWarning({ host, conversation }: Page): Notice[] {
  const shown = conversation.value;
  const warning = shown?.contextWarning;
  if (!warning) return [];
  const compact: NoticeAction = warning.isFull
    ? { label: t('Compact and Continue'), onClick: () => host.send({ type: 'compactAndContinue' }) }
    : {
        label: t('Summarize on a new branch'),
        onClick: () => host.send({ type: 'runCommandHere', command: 'summarizeContext' }),
      };
  return [
    {
      id: warning.isFull ? 'context is full' : 'context',
      severity: 'warning',
      title: warning.isFull ? t('Context full') : t('Context nearly full'),
      text: warning.text,
      isUrgent: true,
      actions: [{ ...compact, disabled: shown.isReadOnly }],
      onDismiss: () => host.send({ type: 'dismissContextWarning' }),
    },
  ];
}

/** A limit of the window holds all the time: the user looks it up, unless there is something to do about it now. */
function ofBanner(page: Page, { id, severity, title, text, limit, offer }: BannerView): Notice {
  const action = limit?.action;
  return {
    id,
    severity,
    title,
    text,
    ...(limit ? { icon: iconOf(id, action) } : {}),
    isUrgent: limit
      ? action === 'reconnect' || action === 'reviewHooks'
      : severity !== 'info' || offer !== undefined,
    actions: [
      ...(action
        ? [
            {
              label: actionText(action),
              onClick: () => page.host.send({ type: 'takeLimitAction', action }),
            },
          ]
        : []),
      ...(offer === undefined ? [] : offerActions(page, offer)),
    ],
  };
}

function offerActions({ host }: Page, offer: string): NoticeAction[] {
  const actions: readonly (readonly [OfferAction, string])[] = [
    ['open', t('Open')],
    ['copy', t('Copy')],
    ['refuse', t('Not These')],
  ];
  return actions.map(([action, label]) => ({
    label,
    onClick: () => host.send({ type: 'takeOffer', offer, action }),
  }));
}

function iconOf(id: string, action: LimitAction | undefined): string {
  if (id === 'ownFiles') return 'repo-forked';
  if (action === 'manageTrust') return 'workspace-untrusted';
  if (action === 'reviewHooks') return 'shield';
  return action === 'reconnect' ? 'debug-disconnect' : 'lock';
}

function actionText(action: LimitAction): string {
  switch (action) {
    case 'manageTrust':
      return t('Manage Workspace Trust');
    case 'checkForUpdates':
      return t('Check for Extension Updates');
    case 'showLog':
      return t('Show Log');
    case 'reconnect':
      return t('Try Now');
    case 'reviewHooks':
      return t('Review Hooks…');
  }
}
