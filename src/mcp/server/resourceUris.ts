/** The address of a branch. */
export interface BranchAddress {
  readonly chatId: string;
  readonly branch: string;
}

export const BRANCH_TEMPLATE = 'offshoot://chat/{chat}/branch/{branch}';

const address = /^offshoot:\/\/chat\/([^/?#]{1,3000})\/branch\/([^/?#]{1,6000})$/u;

/** @returns the address of a branch, for any name */
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
