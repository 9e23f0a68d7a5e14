/** The argument checks common to all stores. */
export { checkedChanges, checkedChat, branchName, checkpointName } from './chatChanges.ts';
export { checkedChats, checkedExtension } from './portableChats.ts';
