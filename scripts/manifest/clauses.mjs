/**
 * @param {Omit<import('./clauses.mjs').Contributes, 'configuration'>} contributes
 * @returns {string[]}
 */
export function clausesOf({ commands, menus, keybindings, views, viewsWelcome, walkthroughs }) {
  const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const shown = [...Object.values(menus), keybindings, ...Object.values(views), viewsWelcome, steps].flat();
  return [
    ...shown.flatMap(({ when }) => when ?? []),
    ...commands.flatMap(({ enablement }) => enablement ?? []),
    ...steps.flatMap(({ completionEvents }) =>
      completionEvents.flatMap((event) => /^onContext:(.*)$/.exec(event)?.[1] ?? []),
    ),
  ];
}
