import { defineMessage } from '../engine/messageDescriptor.ts';
import { checkedName } from '../engine/storable.ts';

/** @throws InvalidArgumentError, InvalidNameError */
export function branchName(name: string): string {
  return checkedName(name, defineMessage('branch name'));
}

/** @throws InvalidArgumentError, InvalidNameError */
export function checkpointName(name: string): string {
  return checkedName(name, defineMessage('checkpoint name'));
}
