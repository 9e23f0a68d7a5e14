import type { NodeDescription } from '../../protocol/graphMessages.ts';
import { t } from '../state/texts.ts';
import type { GraphModel } from './graphModel.ts';

export function roleText(role: GraphModel['roles'][number]): string {
  switch (role) {
    case 'start':
      return t('Beginning');
    case 'user':
      return t('You');
    case 'assistant':
      return t('Answer');
    case 'system':
      return t('System');
    case 'note':
      return t('Report');
    case 'hidden':
      return t('Change of state');
  }
}

/** The accessible text of a node. */
export function spokenText(model: GraphModel, index: number, known: NodeDescription | undefined): string {
  const branches = (model.heads.get(index) ?? []).map(({ name, label = name, isActive }) =>
    isActive ? t('end of branch {0}, where the chat is', label) : t('end of branch {0}', label),
  );
  const checkpoints = (model.checkpoints.get(index) ?? []).map((name) => t('checkpoint {0}', name));
  const forks = countForks(model, index);
  return [
    roleText(model.roles[index] ?? 'hidden'),
    known?.label ?? '',
    statusText(known),
    ...branches,
    ...checkpoints,
    forks > 0 ? t('{0} branches begin here', forks) : '',
    model.onActivePath[index] === 1 ? '' : t('not on the active path'),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

export function statusText(known: NodeDescription | undefined): string {
  if (known?.status === 'failed') return t('failed');
  return known?.status === 'interrupted' ? t('interrupted') : '';
}

/** How many branches were made at a node, in addition to the one in its lane. */
function countForks({ layout }: GraphModel, index: number): number {
  let count = 0;
  const first = layout.successors[index] ?? -1;
  let child = first === -1 ? -1 : (layout.siblings[first] ?? -1);
  for (; child !== -1; child = layout.siblings[child] ?? -1) count += 1;
  return count;
}
