/** How many bytes are converted to characters at once: the number of arguments of a call is limited. */
const CHUNK = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (let start = 0; start < bytes.byteLength; start += CHUNK) {
    characters += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(characters);
}

export function fromBase64(text: string): Uint8Array {
  const characters = atob(text);
  // An iterator over the characters would take a hundred times as long.
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < characters.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

/** In hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
