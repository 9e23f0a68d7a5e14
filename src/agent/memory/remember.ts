import type { ApprovalRequest } from '../tools/approvals.ts';
import type { FileWriter, ToolContext, ToolOutput } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import { guarded } from '../tools/workspace/guarded.ts';
import type { OpenTexts } from '../tools/workspace/workspaceHost.ts';
import { branchFacts, changedFacts } from './branchFacts.ts';
import { asFact, type MemoryChange } from './memoryChange.ts';
import { MemoryUnavailableError } from './memoryErrors.ts';
import {
  changeMemoryFile,
  planChange,
  readMemoryFile,
  type MemoryPlace,
  type WriteContent,
} from './memoryPlace.ts';
import { BRANCH_MEMORY, REMEMBER, type MemoryHost, type RememberInput } from './rememberTool.ts';

/** The tool's work: nothing is written that the user has not just seen and allowed. @throws OffshootError */
export async function remember(
  host: MemoryHost,
  texts: OpenTexts,
  input: RememberInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const change = changeOf(input);
  return input.scope === 'branch'
    ? onBranch(change, context)
    : inFile(host, texts, input.scope, change, context);
}

function changeOf({ fact, replaces, forget }: RememberInput): MemoryChange {
  const given = asFact(fact);
  if (given === '' || replaces === '') throw new ToolError('The fact is empty.', 'invalid-input');
  if (forget === true) {
    if (replaces === undefined) return { remove: given };
    throw new ToolError('Give either forget or replaces.', 'invalid-input');
  }
  return replaces === undefined ? { add: given } : { add: given, remove: asFact(replaces) };
}

async function onBranch(change: MemoryChange, { state, approve, signal }: ToolContext): Promise<ToolOutput> {
  const read = async (): Promise<readonly string[]> => branchFacts(await state.get(BRANCH_MEMORY));
  changedFacts(await read(), change);
  await approve({ ...ASKED, memory: { ...change, where: undefined } });
  signal.throwIfAborted();
  const after = changedFacts(await read(), change);
  if (after.length === 0) state.delete(BRANCH_MEMORY);
  else state.set(BRANCH_MEMORY, [...after]);
  return outputOf(change, 'this branch', { scope: 'branch' });
}

async function inFile(
  host: MemoryHost,
  texts: OpenTexts,
  scope: MemoryPlace['scope'],
  change: MemoryChange,
  context: ToolContext,
): Promise<ToolOutput> {
  const place = await placeFor(host, texts, scope, change);
  const { shown } = place;
  const { beforeText: before, afterText: after } = await guarded(() => planChange(place, texts, change));
  const preview = { shown, uri: place.uri, before, after };
  await context.approve({ ...ASKED, memory: { ...change, where: shown }, preview });
  context.signal.throwIfAborted();
  const write = scope === 'project' ? recordedBy(context.files) : place.write;
  await guarded(() => changeMemoryFile(place, texts, change, write));
  host.changed();
  return outputOf(change, shown, { scope, file: place.uri });
}

/** No answer covers more than the line that was shown: it may come from anywhere. */
const ASKED = { kind: REMEMBER, protection: 'instructs-agents' } as const satisfies ApprovalRequest;

/** Of several folders the first, or the one that has what is to go. */
async function placeFor(
  host: MemoryHost,
  texts: OpenTexts,
  scope: MemoryPlace['scope'],
  { remove }: MemoryChange,
): Promise<MemoryPlace> {
  const places = (await host.places()).filter((place) => place.scope === scope);
  const [first] = places;
  if (!first) throw new MemoryUnavailableError();
  if (remove === undefined) return first;
  for (const place of places) {
    const found = await readMemoryFile(place, await texts.texts());
    if (found?.facts.includes(remove) === true) return place;
  }
  return first;
}

/** A rewind takes it back with the other files. */
function recordedBy(files: FileWriter | undefined): WriteContent {
  if (!files) throw new ToolError('Files cannot be written here.', 'no-writer');
  return (at, before, after) => files.write(at, before, after);
}

function outputOf(
  { add, remove }: MemoryChange,
  where: string,
  details: Readonly<Record<string, string>>,
): ToolOutput {
  const lines = [
    ...(remove === undefined ? [] : [`Removed from ${where}: ${remove}`]),
    ...(add === undefined ? [] : [`Kept in ${where}: ${add}`]),
  ];
  return {
    text: lines.join('\n'),
    details: {
      ...details,
      ...(add === undefined ? {} : { added: add }),
      ...(remove === undefined ? {} : { removed: remove }),
    },
  };
}
