import * as vscode from 'vscode';
import { ownAddress, serverOf } from '../../agent/tools/resourceAddress.ts';
import type { ReadResource } from '../../agent/tools/foreignResult.ts';
import type { ForeignCall } from '../../agent/tools/foreignTools.ts';
import { startOf } from '../../agent/tools/textLimits.ts';
import { ToolError } from '../../agent/tools/toolError.ts';
import { untilAborted } from '../../base/untilAborted.ts';

/** How long a server may take to give a resource, in milliseconds. */
const PATIENCE_MS = 30_000;

const MAX_REASON = 500;

/**
 * Reads what a result names. The user is asked once for each server: a server can forge an address of another one,
 * whose resources must not come into a chat unasked.
 */
export function readResource({ approve, signal }: ForeignCall): ReadResource {
  return async (uri) => {
    const server = serverOf(uri);
    await approve({ kind: `resources:${server}`, resource: { address: ownAddress(uri), server } });
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      return await untilAborted(AbortSignal.any([signal, patience]), async () =>
        vscode.workspace.fs.readFile(vscode.Uri.parse(uri, true)),
      );
    } catch (error) {
      signal.throwIfAborted();
      const reason = patience.aborted ? 'the server did not answer' : startOf(String(error), MAX_REASON);
      throw new ToolError(reason, 'resource-unread');
    }
  };
}
