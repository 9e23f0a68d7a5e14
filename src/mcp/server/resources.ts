import { readBranch } from '../reading/readPath.ts';
import { visibleChats } from '../reading/listBranches.ts';
import { offsetOf, pageOf, type Reading } from '../reading/readingTool.ts';
import { oneLine } from '../reading/shownText.ts';

export const MIME_TYPE = 'text/markdown';
const TITLE = 120;
const NAME = 80;

/** How many chats are on a page, with all their branches up to a limit. */
const CHATS = 20;
const BRANCHES = 100;

/** How much of a branch is read at once, in UTF-16 units: roughly 25,000 tokens. */
const ROOM = 100_000;

export interface BranchResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
}

export interface ResourcePage {
  readonly resources: BranchResource[];
  readonly nextCursor?: string;
}

/** The branches of the chats, page by page; the latest chat first, and in it the user's current branch. */
export async function listResources(reading: Reading, cursor: string | undefined): Promise<ResourcePage> {
  const offset = offsetOf(cursor);
  const { items, ...more } = pageOf(await visibleChats(reading, offset + CHATS + 1), offset, CHATS);
  const { store, userId } = reading;
  const resources = await Promise.all(
    items.map(async ({ id, title = '' }) => {
      const branches = await store.listBranches(id, { userId });
      return branches
        .toSorted((a, b) => Number(b.isActive) - Number(a.isActive))
        .slice(0, BRANCHES)
        .map(({ name }) => resourceOf({ chatId: id, branch: name }, title));
    }),
  );
  return { resources: resources.flat(), ...more };
}

/** @returns undefined if it is not a branch address @throws ToolFailure when it does not exist, or is archived */
export async function readResource(reading: Reading, uri: string): Promise<string | undefined> {
  const address = parseBranchUri(uri);
  return address && readBranch(reading, address.chatId, address.branch, ROOM);
}

function resourceOf(address: BranchAddress, title: string): BranchResource {
  const name = `${oneLine(title, TITLE) || 'Chat'} (${oneLine(address.branch, NAME)})`;
  return { uri: branchUri(address), name, title: name, mimeType: MIME_TYPE };
}

interface BranchAddress {
  readonly chatId: string;
  readonly branch: string;
}

export const BRANCH_TEMPLATE = 'offshoot://chat/{chat}/branch/{branch}';

const address = /^offshoot:\/\/chat\/([^/?#]{1,3000})\/branch\/([^/?#]{1,6000})$/u;

export function branchUri({ chatId, branch }: BranchAddress): string {
  return `offshoot://chat/${encodeURIComponent(chatId.toWellFormed())}/branch/${encodeURIComponent(branch.toWellFormed())}`;
}

/** @returns undefined for anything that is not the address of a branch */
export function parseBranchUri(uri: string): BranchAddress | undefined {
  const [, chat, branch] = address.exec(uri) ?? [];
  if (chat === undefined || branch === undefined) return undefined;
  try {
    return { chatId: decodeURIComponent(chat), branch: decodeURIComponent(branch) };
  } catch {
    // A percent sign without a valid escape.
    return undefined;
  }
}
