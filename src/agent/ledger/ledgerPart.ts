import { isTextPart, type TextPart, type UIMessagePart } from '../../engine/uiMessage.ts';

/** The text of a ledger as a part of a message that is sent; it is never stored. */
export function ledgerPart(text: string): TextPart {
  return { type: 'text', text, providerMetadata: { offshoot: { ledger: true } } };
}

export function isLedgerPart(part: UIMessagePart): boolean {
  return isTextPart(part) && part.providerMetadata?.['offshoot']?.['ledger'] === true;
}
