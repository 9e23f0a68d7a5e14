/** Waits for the styles of the page, where they are still on their way; drawn without them, everything would move. */
export async function stylesLoaded(): Promise<void> {
  const styles = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
  if (!styles || styles.sheet) return;
  await new Promise((resolve) => {
    styles.addEventListener('load', resolve, { once: true });
    // The page can be used without them.
    styles.addEventListener('error', resolve, { once: true });
  });
}
