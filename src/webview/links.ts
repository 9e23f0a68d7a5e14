import type { Host } from './answersConnection.ts';

/** Links of answers go to the host, which checks them before opening. */
export function openLinksThrough(host: Host): void {
  const open = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('[data-href]') : null;
    const href = link?.getAttribute('data-href');
    if (href === undefined || href === null) return;
    event.preventDefault();
    host.send({ type: 'openLink', href });
  };
  document.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') open(event);
  });
}
