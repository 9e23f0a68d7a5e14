import { computed, signal } from '@preact/signals';
import { z } from 'zod';
import {
  graphFromHost,
  graphReplies,
  MAX_DESCRIBED,
  type GraphFromHost,
  type NodeDescription,
  type GraphProtocol,
} from '../../protocol/graphMessages.ts';
import { connect, reasonOf, type ConnectionOf } from '../host.ts';
import { setLocale, t } from '../state/texts.ts';
import { modelOf, withChange, type GraphData, type GraphModel } from './graphModel.ts';
import { neighbour, type GraphKey } from './layout.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Height of a row at a zoom of 1, in pixels. */
const ROW_HEIGHT = 24;
const ZOOM = { min: 0.15, max: 2, step: 1.25 };

/** The state kept while the page is hidden, and over a reload. */
const remembered = z.object({
  chatId: z.string(),
  zoom: z.number().min(ZOOM.min).max(ZOOM.max),
  focused: z.string().optional(),
  selected: z.array(z.string()).max(2),
});

export interface Preview {
  readonly id: string;
  readonly text: string;
  readonly isCut: boolean;
}

export class GraphPage {
  private readonly host: ConnectionOf<GraphProtocol>;
  private readonly data = signal<GraphData | undefined>(undefined);
  readonly model = computed<GraphModel | undefined>(() => this.data.value && modelOf(this.data.value));
  readonly descriptions = signal<ReadonlyMap<string, NodeDescription>>(new Map());
  readonly preview = signal<Preview | undefined>(undefined);
  readonly failure = signal<string | undefined>(undefined);
  /** Why nothing is shown. */
  readonly refusal = signal<string | undefined>(undefined);
  readonly zoom = signal(1);
  readonly rowHeight = computed(() => Math.max(4, Math.round(ROW_HEIGHT * this.zoom.value)));
  readonly laneWidth = computed(() => Math.max(4, Math.round(16 * this.zoom.value)));
  readonly focusedId = signal<string | undefined>(undefined);
  readonly hoveredId = signal<string | undefined>(undefined);
  /** At most two, for comparison. */
  readonly selected = signal<readonly string[]>([]);
  /** The node shown in full: the one under the pointer, otherwise the focused one. */
  readonly previewed = computed(() => this.hoveredId.value ?? this.focusedId.value);
  private readonly asked = new Set<string>();
  private readonly failed = (error: unknown): void => void (this.failure.value = reasonOf(error));

  constructor() {
    this.host = connect<GraphProtocol>('graph', {
      fromHost: graphFromHost,
      replies: graphReplies,
      receive: (message) => this.receive(message),
      refused: (type) => {
        if (type === 'graphChanged') this.clear(t('Couldn’t show this chat: part of it is malformed.'));
      },
    });
    this.host.begin();
  }

  describe(ids: readonly string[]): void {
    const chatId = this.data.value?.chat.id;
    const unknown = ids.filter((id) => id !== '' && !this.asked.has(id)).slice(0, MAX_DESCRIBED);
    if (chatId === undefined || unknown.length === 0) return;
    for (const id of unknown) this.asked.add(id);
    this.host.sendRequest({ type: 'describeNodes', chatId, ids: unknown }).then(({ nodes }) => {
      if (chatId !== this.data.value?.chat.id) return;
      const all = new Map(this.descriptions.value);
      for (const node of nodes) all.set(node.id, node);
      this.descriptions.value = all;
    }, this.failed);
  }

  hover(id: string | undefined): void {
    if (this.hoveredId.value === id) return;
    this.hoveredId.value = id;
    this.askPreview();
  }

  focus(id: string): void {
    this.focusedId.value = id;
    this.hoveredId.value = undefined;
    this.askPreview();
    this.remember();
  }

  go(key: GraphKey): void {
    const model = this.model.value;
    const at = model?.indexOf.get(this.focusedId.value ?? '');
    if (!model || model.ids.length === 0) return;
    const next = at === undefined ? Math.max(0, model.activeHead) : neighbour(model.layout, at, key);
    this.focus(model.ids[next] ?? '');
  }

  goRows(count: number): void {
    const model = this.model.value;
    const at = model?.indexOf.get(this.focusedId.value ?? '');
    if (!model || at === undefined) return;
    const { rows, order } = model.layout;
    const row = Math.min(order.length - 1, Math.max(0, (rows[at] ?? 0) + count));
    this.focus(model.ids[order[row] ?? 0] ?? '');
  }

  /** Selecting a third deselects the first. */
  toggle(id: string): void {
    if (id === '') return;
    const { value } = this.selected;
    this.selected.value = value.includes(id) ? value.filter((each) => each !== id) : [...value, id].slice(-2);
    this.remember();
  }

  clearSelection(): void {
    this.selected.value = [];
    this.remember();
  }

  /** Shows a message of the active branch in the chat; any other is only previewed here. */
  open(id: string): void {
    if (this.isShownInChat(id)) this.goTo(id);
  }

  isShownInChat(id: string): boolean {
    const model = this.model.value;
    const index = model?.indexOf.get(id);
    return model !== undefined && index !== undefined && id !== '' && model.onActivePath[index] === 1;
  }

  /** Switches to the branch that ends here; without one, shows the message on a branch that leads there. */
  goTo(id: string): void {
    const model = this.model.value;
    const index = model?.indexOf.get(id);
    if (!model || index === undefined) return;
    const heads = model.heads.get(index) ?? [];
    const branch =
      heads.find(({ isActive }) => isActive) ?? heads.find(({ isArchived }) => !isArchived) ?? heads[0];
    if (branch && !branch.isActive) this.switchBranch(branch.name);
    else if (id !== '') this.host.send({ type: 'showMessage', chatId: model.chat.id, messageId: id });
  }

  switchBranch(branch: string): void {
    const chatId = this.data.value?.chat.id;
    if (chatId !== undefined) this.host.send({ type: 'switchBranch', chatId, branch });
  }

  compare(): void {
    const chatId = this.data.value?.chat.id;
    const [one, other] = this.selected.value;
    if (chatId === undefined || one === undefined || other === undefined) return;
    this.host.send({ type: 'compare', chatId, messageIds: [one, other] });
  }

  zoomBy(steps: number): void {
    this.setZoom(this.zoom.value * ZOOM.step ** steps);
  }

  setZoom(zoom: number): void {
    this.zoom.value = Math.min(ZOOM.max, Math.max(ZOOM.min, zoom));
    this.remember();
  }

  private receive(message: GraphFromHost): void {
    switch (message.type) {
      case 'localised':
        setLocale(message.texts, message.locale);
        return;
      case 'graphChanged': {
        const before = this.data.value;
        const data = withChange(before, message);
        if (!data) {
          // A message was missed.
          this.host.send({ type: 'ready' });
          return;
        }
        this.refusal.value = undefined;
        if (before?.chat.id !== data.chat.id) this.begin(data);
        else if (this.focusedId.value === headOf(before)) this.focusedId.value = headOf(data);
        this.data.value = data;
        this.dropGone(data);
        return;
      }
      case 'graphFailed':
        this.clear(message.reason);
        return;
      case 'actionFailed':
        this.failure.value = message.text;
    }
  }

  /** Shows only the reason: the previous content may belong to another chat. */
  private clear(reason: string): void {
    this.data.value = undefined;
    this.preview.value = undefined;
    this.hoveredId.value = undefined;
    this.refusal.value = reason;
  }

  reload(): void {
    this.host.send({ type: 'ready' });
  }

  /** Another chat: the view of the previous one is reset, unless this is the remembered chat. */
  private begin(data: GraphData): void {
    const { chat } = data;
    this.asked.clear();
    this.descriptions.value = new Map();
    this.preview.value = undefined;
    this.hoveredId.value = undefined;
    this.failure.value = undefined;
    const memory = remembered.safeParse(this.host.memory.get()).data;
    const isSame = memory?.chatId === chat.id;
    this.zoom.value = memory?.zoom ?? 1;
    this.selected.value = isSame ? memory.selected : [];
    const head = headOf(data);
    this.focusedId.value = isSame ? (memory.focused ?? head) : head;
  }

  private dropGone(data: GraphData): void {
    const known = new Set(data.ids);
    if (this.selected.value.some((id) => !known.has(id))) {
      this.selected.value = this.selected.value.filter((id) => known.has(id));
    }
    const { value } = this.focusedId;
    if (value === undefined || (value !== '' && !known.has(value))) {
      this.focusedId.value = headOf(data) ?? data.ids[0];
    }
    this.askPreview();
  }

  private askPreview(): void {
    const id = this.previewed.value;
    const chatId = this.data.value?.chat.id;
    if (chatId === undefined || id === undefined || id === '' || this.preview.value?.id === id) return;
    this.host.sendRequest({ type: 'previewNode', chatId, id }).then(({ preview }) => {
      if (!preview || chatId !== this.data.value?.chat.id || id !== this.previewed.value) return;
      this.preview.value = { id, ...preview };
    }, this.failed);
  }

  private remember(): void {
    const chatId = this.data.value?.chat.id;
    if (chatId === undefined) return;
    const { value: focused } = this.focusedId;
    this.host.memory.set({
      chatId,
      zoom: this.zoom.value,
      selected: [...this.selected.value],
      ...(focused === undefined ? {} : { focused }),
    } satisfies z.infer<typeof remembered>);
  }
}

/** Undefined before the first message. */
function headOf({ branches }: GraphData): string | undefined {
  return branches.find(({ isActive }) => isActive)?.headMessageId ?? undefined;
}

export const GraphContext = createContext<GraphPage | undefined>(undefined);

/** @throws Error outside the page */
export function useGraph(): GraphPage {
  const page = useContext(GraphContext);
  if (!page) throw new Error('There is no graph around this component.');
  return page;
}
