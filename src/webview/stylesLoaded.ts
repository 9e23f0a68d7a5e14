/** Waits until the page's styles are loaded; without them, the layout would shift. */
export async function stylesLoaded(): Promise<void> {
  const styles = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
  if (!styles || styles.sheet) return;
  await new Promise((resolve) => {
    styles.addEventListener('load', resolve, { once: true });
    // The page is usable without them.
    styles.addEventListener('error', resolve, { once: true });
  });
}
