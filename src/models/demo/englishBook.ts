import type { DemoBook, ExploreTexts, TaskTexts } from './demoBook.ts';
import { englishAnswers } from './englishAnswers.ts';

const task: TaskTexts = {
  question: 'Show me the agent at work on a sample file',
  asks: /^\W*(?:(?:show|try|run|start|do|give) )?(?:me )?(?:an? |the )?(?:little |small )?(?:task|agent|edit)(?: task)?\W*$/i,
  file: '# Trip\n\n1. Lock the door\n2. Pack the bag\n3. Buy the tickets\n',
  line: '2. Pack the bag',
  edits: [
    { oldText: '1. Lock the door', newText: '1. Buy the tickets' },
    { oldText: '3. Buy the tickets', newText: '3. Lock the door' },
  ],
  begin:
    'A task in four steps: make a small file, find out what is wrong with it, correct it, and look at the result. Whatever changes something asks you first. Here is the file:',
  goal: 'Find out what is wrong with the order',
  explore:
    'Now I set a checkpoint of my own. What I read from here on will not stay in the conversation; only my report will.',
  look: 'I read the file.',
  back: 'That is enough to know. I go back to my checkpoint with a report.',
  report:
    'The order cannot work: the door is locked before the bag is packed, and the tickets come last. The tickets have to come first, the door last.',
  edit: 'By the report, two lines have to change places. That is one edit with two pieces; you can keep or undo each of them.',
  run: 'A command shows the file as it is now.',
  notWritten:
    'The sample file was not written, so nothing was changed. If you denied it: that is all a Deny does. Regenerate this answer to be asked again.',
  notEdited:
    'The edit was not made, so the sample file is as it was before. If you denied it: that is all a Deny does. Regenerate this answer to be asked again.',
  brokeOff:
    'This step did not work out, so the task ends here. Its row above says why. Regenerate this answer to begin again.',
  done: (file, { explored, command }) =>
    [
      '## Done, and all of it can be undone',
      [
        `- \`${file}\` was made and corrected, each after you had allowed it.`,
        explored
          ? '- I looked into it from a checkpoint and **rewound** with a report. What I read on the way is in the tree, under its goal.'
          : '- Checkpoints of the agent are turned off here, so I did not look into it first.',
        {
          ran: '- A command in the terminal showed the result.',
          failed: '- The command did not run, which is fine: it would only have shown the result.',
          browser:
            '- In a browser without a server no command can run; on the desktop a command would have shown the result.',
          off: '- Commands are not available here; one would have shown the result.',
        }[command],
      ].join('\n'),
      '**Now you.** This is the whole idea:',
      [
        '1. Right-click your question, choose **Rewind to Here**, then **Conversation and Files**: the sample file is gone again.',
        '2. Ask something else. The conversation goes on from there on a branch of its own.',
        '3. In the tree, click the branch you came from, with its files: this answer is back, and so is the file.',
      ].join('\n'),
    ].join('\n\n'),
  missing: {
    untrusted:
      'This workspace is not trusted, so no model gets tools here: nothing is read, changed or run. Choose **Workspaces: Manage Workspace Trust**, trust it if you know it, and ask again. **Offshoot: Open Sample Chat** shows branches without any tools.',
    'no-folder':
      'No folder is open, so there is nowhere to put a sample file. Choose **File > Open Folder**, then ask again; an empty folder will do. **Offshoot: Open Sample Chat** shows branches without one.',
    off: 'The tools for this task are not offered: they are turned off, or the mode below the input is not **Agent**. Choose **Agent**, turn on reading and writing with **Offshoot: Select Tools**, and ask again.',
  },
};

const explore: ExploreTexts = {
  asks: /^\W*(?:explore|look around)\b/i,
  goal: 'See what is in this workspace',
  begin: 'I mark this point and look around.',
  look: 'First the top of the workspace, then some files.',
  back: 'That is enough. I go back with a report.',
  brokeOff: 'This step did not work out, so I stop here. Its row above says why.',
  report: (names) =>
    names.length === 0
      ? 'No files were found in the workspace.'
      : `The workspace holds, among others:\n\n${names.map((name) => `- \`${name}\``).join('\n')}`,
  done: (report) =>
    `## What I found\n\n${report}\n\nI explored from a checkpoint and came back with this report. What I looked at on the way is not in view any more; the tree keeps it, under the name of its goal.`,
};

export const englishBook: DemoBook = {
  answers: englishAnswers,
  task,
  explore,
  asksHelp:
    /^\W*(?:help|what (?:can|do) (?:you|this|the demo) do|what is this|what now|how does this work)\W*$/i,
  help: (questions) =>
    [
      '## What this demo can do',
      'I am the offline demo. No model is at work and nothing leaves this machine. I calculate (`17 * 23`), and I have answers that were written beforehand, so that you can try branches, checkpoints and rewinding.',
      [
        '- `task` shows an agent at work on a sample file: an edit, a command, a rewind. Three minutes',
        '- `explore` looks around in the workspace from a checkpoint, and goes back with a report',
        '- `code` answers with code in five languages',
        '- `table`, `formula` and `plan` show how those look',
        '- `think` reasons before it answers',
        '- `long` writes for a while: time to press Stop, or to ask something by the way',
        '- `slow` writes slowly',
        '- `fail` breaks off with an error half-way',
      ].join('\n'),
      'Questions with an answer:',
      questions.map((question) => `- ${question}`).join('\n'),
      'For answers to everything else choose **Offshoot: Select Model and API Keys…**.',
    ].join('\n\n'),
  asksCode: /\bcode\b/i,
  codeTitle: 'Code in five languages',
  codeIntroduction: 'Each block can be copied, or inserted into the editor, from its corner.',
  unknown: ({ question, earlier, suggestions }) =>
    [
      '## This takes a model',
      question === ''
        ? 'I am the offline demo: I cannot read what you attached. My answers were written beforehand.'
        : `You asked: “${question}” I am the offline demo: my answers were written beforehand, and there is none for this question. Rather than make something up, I tell you what I have.`,
      ...(earlier.length === 0
        ? []
        : [
            `On this branch you asked before:\n\n${earlier.map((each) => `- “${each}”`).join('\n')}\n\nOn another branch there would be other questions: that is what a model gets to read with yours.`,
          ]),
      `Questions that I can answer:\n\n${suggestions.map((each) => `- ${each}`).join('\n')}`,
      'Ask `task` to see an agent at work, `help` for everything else, or choose **Offshoot: Select Model and API Keys…** for real answers.',
    ].join('\n\n'),
  closest: (question) => `*The closest that was written beforehand: “${question}”.*`,
  sum: (expression, value) =>
    `## ${value}\n\n\`${expression}\` is **${value}**. This one was calculated, not written beforehand.`,
  noSum: (expression) =>
    `## No value\n\n\`${expression}\` has no finite value: it divides by zero, or grows beyond all bounds.`,
  asksThinking: /\bthink\b/i,
  thinking: (question, count) =>
    `The question is “${question}”, and it is number ${count} on this branch, so I should keep to what was said before. No model is at work here; this is what reasoning looks like when one is.`,
  asksLong: /\blong\b/i,
  longTitle: 'A long answer',
  longParagraph: (number) =>
    `**${number}.** A long answer leaves time to look around: scroll up, switch to another branch and back, ask something by the way, or press Stop. Whatever has arrived by then is kept as part of the conversation.`,
  longEnd: 'That was all. Thank you for waiting.',
  asksSlow: /\bslow(?:ly)?\b/i,
  asksFailure: /\bfail\b/i,
  unread: 'You should not be able to read this: the answer breaks off before.',
  tips: [
    '*Demo answer. Regenerate it, and both stay: each on a branch of its own.*',
    '*Demo answer. Rewind to an earlier message to go another way; this one is kept.*',
    '*Demo answer. Set a checkpoint here to find the way back.*',
    '*Demo answer. Ask `help` to see what else the demo can do.*',
  ],
  again: (attempt) => `*Attempt ${attempt}. A model would say it in other words.*`,
  summary: (count) =>
    `The demo summed up ${count} messages. It cannot understand them, so here is what was asked:`,
};
