import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { uriBelow } from '../../host/fileUri.ts';
import { startOf } from '../tools/textLimits.ts';
import { agentKey } from './agentNames.ts';
import { readAgentFile, type AgentFile } from './agentFile.ts';
import { namesIn } from './findPrompts.ts';
import { isUnreadable, readPromptText, type PromptProblem } from './promptText.ts';

/** The folders of agent files, below a workspace folder; the first of equal names wins. */
export const AGENT_FOLDERS = ['.offshoot/agents', '.github/agents', '.claude/agents'] as const;

const ENDING = /(?:\.agent)?\.md$/iu;

/** Those of the modes, which a file must not pass for. */
const RESERVED: ReadonlySet<string> = new Set(['agent', 'plan', 'ask', 'edit']);

/** How long a name is, in UTF-16 units. */
const MAX_NAME = 60;

export interface FoundAgent {
  readonly name: string;
  readonly at: GuardedFile;
  /** Undefined when it cannot be used. */
  readonly agent: AgentFile | undefined;
  readonly problem: PromptProblem | undefined;
}

/** A file that another extension names. @param files those of the extension's folder */
export interface NamedAgentFile {
  readonly files: GuardedFiles;
  readonly uri: string;
}

/** The agent files of the open folders and of extensions, by name. A link that leads out is not followed. */
export async function findAgents(
  files: GuardedFiles,
  texts: FileTexts,
  others: readonly NamedAgentFile[] = [],
): Promise<{ readonly agents: readonly FoundAgent[]; readonly hidden: readonly string[] }> {
  const found = new Map<string, FoundAgent>();
  const hidden: string[] = [];
  const take = async ({ files: from, uri }: NamedAgentFile): Promise<void> => {
    const each = await readAgent(from, uri, texts);
    if (!each) return;
    const key = agentKey(each.name);
    if (found.has(key) || RESERVED.has(key)) hidden.push(each.at.shown);
    else found.set(key, each);
  };
  for (const { uri } of files.folders()) {
    for (const folder of AGENT_FOLDERS) {
      for (const name of await namesIn(files, uriBelow(uri, folder))) {
        if (ENDING.test(name)) await take({ files, uri: uriBelow(uri, `${folder}/${name}`) });
      }
    }
  }
  for (const other of others) await take(other);
  return { agents: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), hidden };
}

async function readAgent(
  files: GuardedFiles,
  uri: string,
  texts: FileTexts,
): Promise<FoundAgent | undefined> {
  try {
    const { at, text, problem } = await readPromptText(files, uri, texts);
    // Of the file as it is named in its folder: a link may lead to another name.
    const fileName = agentName(decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1)).replace(ENDING, ''));
    const read = problem ? undefined : readAgentFile(text);
    const agent = read?.ok === true ? read.agent : undefined;
    const name = (agent?.name === undefined ? undefined : agentName(agent.name)) ?? fileName;
    if (name === undefined) return undefined;
    if (read?.ok !== false) return { name, at, agent, problem };
    return { name, at, agent, problem: { kind: 'front-matter', text: read.problem } };
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** As the user and the model are shown it, on one line; undefined if nothing remains. */
function agentName(given: string): string | undefined {
  const visible = given
    .normalize('NFC')
    // Some letters are never seen, such as the fillers of Hangul.
    .replaceAll(/[^\p{L}\p{N}\p{P} _-]|\p{Default_Ignorable_Code_Point}/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const name = startOf(visible, MAX_NAME).trim();
  return name === '' ? undefined : name;
}
