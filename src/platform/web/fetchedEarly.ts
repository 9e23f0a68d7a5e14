/**
 * Begins to fetch a file that is needed soon, behind what a page needs to be shown. What it gives brings the bytes, and
 * fetches anew for all who ask after the first: they are the caller's own, and the first time may have failed.
 */
export function fetchedEarly(address: string): () => Promise<Uint8Array<ArrayBuffer>> {
  let early: Promise<Uint8Array<ArrayBuffer>> | undefined = bytesOf(address, 'low');
  early.catch(() => undefined);
  return () => {
    const bytes = early ?? bytesOf(address);
    early = undefined;
    return bytes;
  };
}

async function bytesOf(
  address: string,
  priority: RequestPriority = 'auto',
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address, { priority });
  if (!response.ok) throw new Error(`${address} could not be fetched (${response.status}).`);
  return new Uint8Array(await response.arrayBuffer());
}
