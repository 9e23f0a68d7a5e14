/** What every store checks of what it is given. */
export { checkedChanges, checkedChat } from './chatChanges.ts';
export { branchName, checkpointName } from './checkedNames.ts';
export { checkedChats, checkedExtension } from './portableChats.ts';
