import { lastQuestion, resultsSince, texts, type Call, type ModelRequest, type Reply } from './said.ts';

/** What a program is driven through. */
export const flows = [
  'turns',
  'tools',
  'picture',
  'resume',
  'fork',
  'compaction',
  'abort',
  'subagent',
  'second',
] as const;
export type Flow = (typeof flows)[number];

/** How a program's tools do what every agent's can. */
export interface ToolCalls {
  /** @param file relative to the project's folder, as are those below */
  readonly read: (file: string) => Call;
  readonly edit: (file: string, from: string, to: string) => Call;
  readonly command: (line: string) => Call;
  /** Looks at a picture; default: reads it. */
  readonly look?: (file: string) => Call;
  /** Has a sub-agent do a task; undefined where the program has none. */
  readonly agent?: (task: string) => Call;
}

/** A question and what the model says to it: after each reply with calls the program sends their results. */
export interface Turn {
  readonly ask: string;
  readonly replies: readonly Reply[];
}

/** The files of the project's folder before each run. */
export const projectFiles: Readonly<Record<string, string>> = {
  'notes.txt': 'Herons nest in March.\nOwls nest in April.\n',
  'birds.md': '# Birds\n\nThe wren sings all winter.\n',
};

/** A picture of the project's folder (`picture.ts`). */
export const PICTURE = 'heron.png';

const turn = (ask: string, text: string, reasoning?: string): Turn => ({
  ask,
  replies: [{ ...(reasoning === undefined ? {} : { reasoning }), text }],
});

const parser = turn(
  'What is a parser?',
  'A parser reads text and finds its structure.',
  'They want a short definition.',
);
const lexer = turn('And what is a lexer?', 'A lexer cuts the text into words for the parser.');
const grammar = turn('Where does the grammar come in?', 'The grammar says which structures there are.');

/** What is asked in each flow, in this order, and what is answered. */
export function turnsOf(flow: Flow, { read, edit, command, look, agent }: ToolCalls): readonly Turn[] {
  switch (flow) {
    case 'turns':
      return [parser, lexer, grammar];
    case 'tools':
      return [
        {
          ask: 'Bring the notes up to date.',
          replies: [
            { reasoning: 'First I read them.', text: 'I read the notes.', calls: [read('notes.txt')] },
            { calls: [edit('notes.txt', 'Owls nest in April.', 'Owls nest in February.')] },
            { text: 'Now I count the lines.', calls: [command('wc -l < notes.txt')] },
            { calls: [command('cat missing-file.txt')] },
            { text: 'I read both files.', calls: [read('birds.md'), read('notes.txt')] },
            { text: 'The notes are up to date.' },
          ],
        },
      ];
    case 'picture':
      return [
        {
          ask: 'Which bird is in this picture?',
          replies: [
            { text: 'I look at the file as well.', calls: [(look ?? read)(PICTURE)] },
            { text: 'It is a grey heron.' },
          ],
        },
      ];
    case 'resume':
      return [parser, lexer];
    case 'fork':
      // The third is asked in place of the second.
      return [parser, lexer, turn('How long is a typical parser?', 'A few hundred lines.')];
    case 'compaction':
      // The conversation is compacted before the third.
      return [parser, lexer, grammar];
    case 'abort':
      return [
        {
          ask: 'Tell me a long story of a heron.',
          replies: [
            {
              text: 'Once a heron stood in the reeds and waited for the frogs. The frogs waited as well, all day long.',
              holds: true,
            },
          ],
        },
        turn('Make it short.', 'A heron waited, and the frogs waited longer.'),
      ];
    case 'subagent':
      return [
        {
          ask: 'Have an agent count the birds.',
          replies: [
            { text: 'I send an agent.', calls: agent ? [agent(TASK)] : [] },
            { text: 'There are two kinds of birds.' },
          ],
        },
        {
          ask: TASK,
          replies: [
            { text: 'I look into the notes.', calls: [read('notes.txt')] },
            { text: 'Herons and owls: two kinds.' },
          ],
        },
      ];
    case 'second':
      // The second is asked in a session of its own.
      return [parser, turn('Which files are here?', 'Notes, a page about birds, and a picture.')];
  }
}

const TASK = 'Count the kinds of birds that notes.txt names.';

/** What stands for the conversation once it was compacted. */
export const SUMMARY = 'The user asked about parsers and lexers, and got short definitions.';
export const TITLE = 'Parsers and birds';

/** What a program asks the model of its own accord: a title, or to summarize. */
export type OfProgram = (request: ModelRequest) => Reply | undefined;

/**
 * The reply to a request by the question that stands last in it, and by how many results came since: whatever else the
 * program says around them.
 */
export function replyTo(turns: readonly Turn[], request: ModelRequest): Reply | undefined {
  const said = texts(request.said, 'user');
  const last = said.findLast((text) => turns.some(({ ask }) => text.includes(ask))) ?? lastQuestion(request);
  // The task of a sub-agent may quote the question; what is asked last in a text is what counts.
  const asked = turns.filter(({ ask }) => last.includes(ask));
  const found = asked.toSorted((one, other) => last.lastIndexOf(other.ask) - last.lastIndexOf(one.ask))[0];
  if (!found) return undefined;
  let results = resultsSince(request, found.ask);
  for (const reply of found.replies) {
    const calls = reply.calls?.length ?? 0;
    if (results < calls || calls === 0) return reply;
    results -= calls;
  }
  return undefined;
}
