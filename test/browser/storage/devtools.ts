declare global {
  interface Window {
    /** Sends a command of the protocol that Chromium's developer tools speak. */
    devtools(method: string, parameters: object): Promise<unknown>;
  }
}

/** How much this site may keep, in bytes; nothing: as much as the browser gives. */
export async function limitRoom(bytes?: number): Promise<void> {
  const { origin } = location;
  const quota = bytes === undefined ? {} : { quotaSize: bytes };
  await window.devtools('Storage.overrideQuotaForOrigin', { origin, ...quota });
}

/** Removes all that this site keeps, as a user does in the browser's settings. */
export async function clearSite(): Promise<void> {
  const { origin } = location;
  await window.devtools('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
}

export async function usedBytes(): Promise<number> {
  return (await navigator.storage.estimate()).usage ?? 0;
}
