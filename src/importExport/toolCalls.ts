import { defineMessage } from '../engine/messageDescriptor.ts';
import type { TextPart, UIMessagePart } from '../engine/uiMessage.ts';
import type { ImportReport } from './importReport.ts';

/** Precedes pictures that a tool returned, which are not part of an answer. */
export const SHOWN: TextPart = { type: 'text', text: '[Pictures that a tool returned:]' };

interface Call {
  readonly toolName: string;
  readonly input: unknown;
}

/** The tool calls of a session until their results arrive: both are shown together. */
export class ToolCalls {
  private readonly open = new Map<string, Call>();
  private readonly known = new Map<string, Call>();

  called(id: string, toolName: string, input: unknown): void {
    const call = { toolName: toolName === '' ? 'tool' : toolName.slice(0, 100), input: input ?? {} };
    this.open.set(id, call);
    this.known.set(id, call);
  }

  /** The call with its result. */
  result(id: string, output: unknown, isError = false, toolName = 'tool'): UIMessagePart {
    const { toolName: name, input } = this.known.get(id) ?? { toolName, input: {} };
    this.open.delete(id);
    const call = { type: 'dynamic-tool', toolName: name, toolCallId: id, input } as const;
    return isError
      ? {
          ...call,
          state: 'output-error',
          errorText: typeof output === 'string' ? output : JSON.stringify(output),
        }
      : { ...call, state: 'output-available', output };
  }

  /** Reports calls without a result: they were incomplete or cut off. */
  reportOpen(report: ImportReport): void {
    report.add(defineMessage('Calls of tools without a result'), this.open.size);
  }
}
