/** The argument checks common to all stores. */
export { checkedChanges, checkedChat } from './chatChanges.ts';
export { branchName, checkpointName } from './checkedNames.ts';
export { checkedChats, checkedExtension } from './portableChats.ts';
