import type { JSX } from 'preact';
import type { GraphBranch } from '../../protocol/graphMessages.ts';
import { HiddenMarked } from '../components/hiddenMarked.tsx';
import { Icon } from '../components/icon.tsx';
import { t, timeText } from '../state/texts.ts';
import { useGraph } from './graphPage.ts';
import { roleText, type GraphModel } from './graphModel.ts';

/** The text of the node under the pointer or with the focus; always as plain text. */
export function GraphPreview({ model }: { model: GraphModel }): JSX.Element {
  const page = useGraph();
  const id = page.previewed.value;
  const index = id === undefined ? undefined : model.indexOf.get(id);
  const known = id === undefined ? undefined : page.descriptions.value.get(id);
  const preview = page.preview.value?.id === id ? page.preview.value : undefined;
  const branches = index === undefined ? [] : (model.heads.get(index) ?? []);
  const checkpoints = index === undefined ? [] : (model.checkpoints.get(index) ?? []);
  return (
    <aside class="graph-preview" aria-label={t('Preview')}>
      {id !== undefined && index !== undefined && (
        <>
          <div class="preview-head">
            <strong>{roleText(model.roles[index] ?? 'hidden')}</strong>
            {known && <span class="moment">{timeText(known.createdAt)}</span>}
          </div>
          {(branches.length > 0 || checkpoints.length > 0) && (
            <ul class="marks">
              {branches.map((branch) => (
                <li key={branch.name}>
                  <BranchButton branch={branch} />
                </li>
              ))}
              {checkpoints.map((name) => (
                <li key={`checkpoint ${name}`}>
                  <Icon name="bookmark" /> {name}
                </li>
              ))}
            </ul>
          )}
          <div class="preview-text" dir="auto" aria-live="polite" tabIndex={0} role="document">
            <HiddenMarked
              text={preview ? `${preview.text}${preview.isCut ? '…' : ''}` : (known?.label ?? '')}
            />
          </div>
          {id !== '' && (
            <div class="preview-actions">
              <button type="button" class="text-button" onClick={() => page.goTo(id)}>
                {branches.some(({ isActive }) => !isActive) && !branches.some(({ isActive }) => isActive)
                  ? t('Switch to this branch')
                  : page.isShownInChat(id)
                    ? t('Show in the Chat')
                    : t('Switch Branch and Show')}
              </button>
              <button
                type="button"
                class="text-button"
                aria-pressed={page.selected.value.includes(id)}
                onClick={() => page.toggle(id)}
              >
                {page.selected.value.includes(id) ? t('Selected to compare') : t('Select to compare')}
              </button>
            </div>
          )}
        </>
      )}
    </aside>
  );
}

function BranchButton({ branch }: { branch: GraphBranch }): JSX.Element {
  const page = useGraph();
  const { name, label = name, isActive, isArchived } = branch;
  if (isActive)
    return (
      <>
        <Icon name="git-branch" /> <HiddenMarked text={label} /> ({t('active')})
      </>
    );
  return (
    <button
      type="button"
      class="link-button"
      title={t('Switch to {0}', label)}
      onClick={() => page.switchBranch(name)}
    >
      <Icon name={isArchived ? 'archive' : 'git-branch'} /> <HiddenMarked text={label} />
      {isArchived && ` (${t('archived')})`}
    </button>
  );
}
