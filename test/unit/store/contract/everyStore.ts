import type { OpenStore } from './actions.ts';
import { specifyAnswers } from './answers.ts';
import { specifyBeginnings } from './beginnings.ts';
import { specifyBranches } from './branches.ts';
import { specifyChats } from './chats.ts';
import { specifyChildren } from './children.ts';
import { specifyCheckpoints } from './checkpoints.ts';
import { specifyClosing } from './closing.ts';
import { specifyDiscarding } from './discarding.ts';
import { specifyEvents } from './events.ts';
import { specifyExtending } from './extending.ts';
import { specifyForks } from './forks.ts';
import { specifyGrafts } from './grafts.ts';
import { specifyMessages } from './messages.ts';
import { specifyOpenAnswers } from './openAnswers.ts';
import { specifyOrder } from './order.ts';
import { specifyOutsideChats } from './outsideChats.ts';
import { specifyOverviews } from './overviews.ts';
import { specifyProvisionalBranches } from './provisionalBranches.ts';
import { specifyRefusals } from './refusals.ts';
import { specifySearch } from './search.ts';
import { specifyTrash } from './trash.ts';
import { specifyUsers } from './users.ts';

const topics = [
  specifyChats,
  specifyMessages,
  specifyBeginnings,
  specifyBranches,
  specifyProvisionalBranches,
  specifyCheckpoints,
  specifyForks,
  specifyExtending,
  specifyTrash,
  specifyDiscarding,
  specifyOverviews,
  specifySearch,
  specifyEvents,
  specifyOutsideChats,
  specifyAnswers,
  specifyRefusals,
  specifyUsers,
  specifyOrder,
  specifyOpenAnswers,
  specifyGrafts,
  specifyChildren,
  specifyClosing,
];

/**
 * What every store does, whatever keeps it.
 * @param open makes an empty one
 */
export function specifyStore(place: string, open: OpenStore): void {
  for (const specify of topics) specify(place, open);
}
