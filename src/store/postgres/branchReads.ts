import type { ArtifactVersion } from '../../engine/effects.ts';
import { explorationBranches, explorationEventKinds } from '../../engine/explorationTask.ts';
import {
  logEventKinds,
  type BranchData,
  type CheckpointData,
  type GraphData,
  type LogEvent,
} from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import { checkedId } from '../../engine/storable.ts';
import type { ListBranches, ListEvents, SharedOwner } from '../../engine/store.ts';
import type { ViewedBy } from '../../engine/users.ts';
import { beginningOf, visibleText } from '../common/messageContent.ts';
import type { FilePlaces } from './filePlaces.ts';
import type { StoreAccess } from './storeAccess.ts';
import { artifactsOf, branchOf, parsed, parsedObject, type BranchRow } from './wire.ts';

interface Through {
  readonly branch: BranchRow;
  readonly usedAt: number | null;
}

interface EventRow {
  readonly sequence: number;
  readonly kind: string;
  readonly user_id: string;
  readonly branch: string | null;
  readonly message_id: string | null;
  readonly details: string;
  readonly created_at: number;
}

export class BranchReads {
  constructor(
    private readonly store: StoreAccess,
    private readonly places: FilePlaces,
  ) {}

  async list(chatId: string, options: ListBranches): Promise<BranchData[]> {
    const values = [chatId, viewer(options), options.includeArchived ?? false];
    return ((await this.store.value<BranchRow[]>('list_branches($1, $2, $3)', values)) ?? []).map(branchOf);
  }

  /** @param name null: the active one */
  async get(chatId: string, name: string | null, by: ViewedBy): Promise<BranchData | undefined> {
    const row = await this.store.value<BranchRow>('get_branch($1, $2, $3)', [chatId, viewer(by), name]);
    return row && branchOf(row);
  }

  async leadingTo(chatId: string, messageId: string, by: ViewedBy): Promise<BranchData | undefined> {
    const newestFirst = (await this.through(chatId, messageId, by))
      .map(({ branch }) => branchOf(branch))
      .reverse();
    const tasks = explorationBranches(await this.events(chatId, { kinds: explorationEventKinds }));
    // Visible branches come before archived ones, and conversations before branches made to explore tasks.
    const rank = ({ isActive, archivedAt, name }: BranchData): number => {
      if (isActive) return 0;
      return archivedAt === undefined ? (tasks.has(name) ? 2 : 1) : 3;
    };
    return newestFirst.sort((a, b) => rank(a) - rank(b))[0];
  }

  async usedWith(chatId: string, messageId: string, by: ViewedBy): Promise<BranchData | undefined> {
    const found = await this.through(chatId, messageId, by);
    // Of branches never used, the newest comes first.
    const rank = ({ branch }: Through): number => (branch.isActive ? 0 : branch.archivedAt === null ? 1 : 2);
    const [best] = found.reverse().sort((a, b) => rank(a) - rank(b) || (b.usedAt ?? 0) - (a.usedAt ?? 0));
    return best && branchOf(best.branch);
  }

  async checkpoints(chatId: string, name: string | null): Promise<CheckpointData[]> {
    return (await this.store.value<CheckpointData[]>('list_checkpoints($1, $2)', [chatId, name])) ?? [];
  }

  async events(chatId: string, { limit, kind, kinds, userId, before }: ListEvents): Promise<LogEvent[]> {
    const wanted = kinds ?? (kind === undefined ? logEventKinds : [kind]);
    const values = [
      chatId,
      wanted,
      userId ?? null,
      before ?? null,
      limit === undefined || limit < 0 ? null : limit,
    ];
    const rows = await this.store.rows<EventRow>('list_events($1, $2, $3, $4, $5)', values);
    return rows.flatMap((row) => {
      const known = logEventKinds.find((each) => each === row.kind);
      // Kinds that only a later version knows are left out.
      if (known === undefined) return [];
      return [
        {
          sequence: row.sequence,
          chatId,
          kind: known,
          userId: row.user_id,
          branch: row.branch ?? undefined,
          messageId: row.message_id ?? undefined,
          details: this.places.detailsHere(parsedObject(row.details)),
          createdAt: row.created_at,
        },
      ];
    });
  }

  async graph(chatId: string, by: ViewedBy): Promise<GraphData> {
    interface Row {
      id: string;
      parent_id: string | null;
      name: string;
      type: string;
      data: string;
      created_at: number;
    }
    const [rows, branches, checkpoints] = await Promise.all([
      this.store.rows<Row>('get_graph($1)', [chatId]),
      this.list(chatId, { ...by, includeArchived: true }),
      this.checkpoints(chatId, null),
    ]);
    return {
      chatId,
      nodes: rows.map(({ id, parent_id: parentId, name: role, data, created_at: createdAt }) => ({
        id,
        parentId,
        role,
        createdAt,
        content: beginningOf(visibleText({ type: 'message', data: parsed(data) })),
      })),
      branches: branches.map(({ name, headMessageId, isActive }) => ({ name, headMessageId, isActive })),
      checkpoints: checkpoints.map(({ name, messageId }) => ({ name, messageId })),
    };
  }

  async sharedState(owner: SharedOwner): Promise<Map<string, JsonValue>> {
    const values = [owner.scope, owner.scope === 'user' ? owner.userId : null];
    const rows = await this.store.rows<{ name: string; value: string }>('get_shared_state($1, $2)', values);
    return new Map(rows.map(({ name, value }) => [name, parsed(value)]));
  }

  async sharedArtifacts(userId: string): Promise<Map<string, readonly ArtifactVersion[]>> {
    const rows = await this.store.rows<{ name: string; details: string }>('get_shared_artifacts($1)', [
      userId,
    ]);
    const all = new Map<string, JsonValue[]>();
    for (const { name, details } of rows) all.set(name, [...(all.get(name) ?? []), parsed(details)]);
    return new Map([...all].map(([name, versions]) => [name, artifactsOf(versions)]));
  }

  private async through(chatId: string, messageId: string, by: ViewedBy): Promise<Through[]> {
    const values = [chatId, viewer(by), messageId];
    return (await this.store.value<Through[]>('branches_through($1, $2, $3)', values)) ?? [];
  }
}

/** Null: the chat's owner. @throws InvalidNameError */
function viewer({ userId }: ViewedBy): string | null {
  return userId === undefined ? null : checkedId(userId, 'user id');
}
