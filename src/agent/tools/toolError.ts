import { OffshootError } from '../../engine/errors.ts';

/** Why a tool could not do what the model asked, as a message for the model. */
export class ToolError extends OffshootError {
  constructor(message: string, code = 'tool-error', options?: ErrorOptions) {
    super(code, message, options);
  }
}
