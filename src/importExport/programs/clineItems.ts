import { z } from 'zod';
import { titleOf } from '../chatBuilder.ts';

/** What Cline and Roo Code store about a task besides its messages. */
export interface ClineItem {
  readonly id: string;
  readonly title: string | undefined;
  /** The folder it worked in. */
  readonly folder: string | undefined;
}

const item = z
  .object({
    id: z.string(),
    task: z.string().optional().catch(undefined),
    cwdOnTaskInitialization: z.string().optional().catch(undefined),
    workspace: z.string().optional().catch(undefined),
  })
  .transform(({ id, task, cwdOnTaskInitialization, workspace }): ClineItem => {
    const title = titleOf(task ?? '');
    return { id, title: title === '' ? undefined : title, folder: workspace ?? cwdOnTaskInitialization };
  });

/** Of a list of tasks, or of one; none for unreadable text. */
export function clineItems(text: string): ClineItem[] {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).flatMap((each) => item.safeParse(each).data ?? []);
  } catch {
    return [];
  }
}
