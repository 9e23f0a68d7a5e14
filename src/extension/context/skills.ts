import * as vscode from 'vscode';
import type { findSkills, FoundSkills } from '../../agent/skills/findSkills.ts';
import type { SkillPlaces } from '../../agent/skills/skillPlaces.ts';
import type { skillsFragments } from '../../agent/skills/skillsFragments.ts';
import { READ_SKILL, type SkillHost } from '../../agent/skills/skillTool.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Fragment } from '../../engine/fragments/index.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import { watchFiles } from '../files/watchFiles.ts';
import type { Settings } from '../manifest/settings.ts';
import { readsProjectFiles } from './instructionsFiles.ts';

/** What is needed only once a question is asked, or counted. */
export interface SkillsWork {
  readonly findSkills: typeof findSkills;
  readonly skillsFragments: typeof skillsFragments;
  readonly skillPlaces: (host: SkillsMachine, project: GuardedFiles) => readonly SkillPlaces[];
  readonly texts: FileTexts;
}

export type SkillsMachine = Pick<Host, 'guardedFiles' | 'home' | 'isLocal' | 'pathOf'>;

interface SkillsOptions {
  readonly guarded: GuardedFiles;
  readonly host: SkillsMachine;
  readonly settings: Settings;
  readonly work: () => Promise<SkillsWork>;
}

/** The skills of the open folders, of the user and of extensions; none where no instruction files are read. */
export class Skills implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: Disposable;
  /** Where there were some when they were last read. */
  private readonly known = new WeakSet<GuardedFiles>();

  readonly onDidChange = this.changed.event;

  constructor(private readonly options: SkillsOptions) {
    // The user’s own folders are not watched: they are read with the next question.
    const notify = (): void => this.changed.fire();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      watchFiles('**/skills/*/SKILL.md', notify),
      vscode.extensions.onDidChange(notify),
    );
  }

  /** As they are on the disk. @param files of the project, left out: those of the open folders */
  async read(files = this.options.guarded): Promise<FoundSkills> {
    const { host, settings } = this.options;
    if (!readsProjectFiles(settings, files)) {
      this.known.delete(files);
      return { skills: [], unused: [], notRead: 0 };
    }
    const { findSkills, skillPlaces, texts } = await this.options.work();
    const found = await findSkills(skillPlaces(host, files), texts);
    if (found.skills.length > 0) this.known.add(files);
    else this.known.delete(files);
    return found;
  }

  async fragments({
    hasTools,
    files,
  }: {
    readonly hasTools: boolean;
    readonly files?: GuardedFiles | undefined;
  }): Promise<Fragment[]> {
    const found = await this.read(files);
    const canRead = hasTools && !this.options.settings.get('tools.off').includes(READ_SKILL);
    if (!canRead || found.skills.length === 0) return [];
    return (await this.options.work()).skillsFragments(found);
  }

  /** For the tool that reads them. @param files of the project */
  hostFor(files: GuardedFiles, load: SkillHost['load']): SkillHost {
    return {
      areThere: () => this.known.has(files),
      read: () => this.read(files),
      pathOf: (uri) => this.pathOf(uri),
      load,
    };
  }

  pathOf(uri: string): string | undefined {
    const { host } = this.options;
    return host.isLocal(uri) ? host.pathOf(uri) : undefined;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
