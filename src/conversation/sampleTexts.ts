/** In the user's language. Code in the sample is defined where the chat is made. */
export type SampleTexts = Readonly<Record<SampleText, string>>;

type SampleText =
  | 'title'
  | 'author'
  | 'checkpoint'
  | 'firstQuestion'
  | 'firstAnswer'
  | 'whereItRuns'
  | 'whereDataLives'
  | 'howDaysCount'
  | 'tryBoth'
  | 'webQuestion'
  | 'webAnswer'
  | 'webReason'
  | 'yearQuestion'
  | 'yearAnswer'
  | 'part'
  | 'count'
  | 'columns'
  | 'rows'
  | 'yearTip'
  | 'asideQuestion'
  | 'asideAnswer'
  | 'terminalQuestion'
  | 'terminalAnswer'
  | 'terminalReason'
  | 'formatQuestion'
  | 'exploring'
  | 'goal'
  | 'exploredJson'
  | 'exploredLines'
  | 'report'
  | 'formatAnswer'
  | 'formatReason';

/** @param t translates an English text to the user's language */
export function sampleTexts(t: (english: string) => string): SampleTexts {
  return {
    title: t('Sample: a small habit tracker'),
    author: t('Sample'),
    checkpoint: t('Before choosing'),
    firstQuestion: t('I want to build a small habit tracker. What should I decide first?'),
    firstAnswer: t('Three things, and only the first is hard to change later:'),
    whereItRuns: t('**Where it runs**: a web page, or a command in the terminal.'),
    whereDataLives: t('**Where the data lives**: one file is enough for one person.'),
    howDaysCount: t('**How a day is counted**: by your own midnight.'),
    tryBoth: t('There is a checkpoint here, so that both ways can be tried from this point.'),
    webQuestion: t('Let us make it a web page. What would the data look like?'),
    webAnswer: t('One list of habits, and for each the days on which it was done:'),
    webReason: t('The browser keeps it, so there is nothing to install and nothing to sign in to.'),
    yearQuestion: t('How do I show a whole year at a glance?'),
    yearAnswer: t('As a grid: a column for each week, a row for each day of the week.'),
    part: t('Part'),
    count: t('How many'),
    columns: t('Columns'),
    rows: t('Rows'),
    yearTip: t(
      'Now it is your turn: right-click any message and choose **Rewind to Here**, or look at the other branches in the tree. All of it is a sample; the answers were written beforehand.',
    ),
    asideQuestion: t('By the way, what is an ISO date?'),
    asideAnswer: t(
      'A date written as year, month and day, such as `2026-01-31`. Sorted as text, such dates are in the order of time.',
    ),
    terminalQuestion: t('And as a command in the terminal instead?'),
    terminalAnswer: t('Then three commands would do:'),
    terminalReason: t('The days go into one text file, which you can read and mend by hand.'),
    formatQuestion: t('Which format should that file have? Look into it first.'),
    exploring: t('I mark this point and look into it.'),
    goal: t('Find a format for the file'),
    exploredJson: t(
      'First JSON: every program reads it, but one broken bracket makes the whole file unreadable.',
    ),
    exploredLines: t(
      'Then plain lines: each day is added at the end, and every change is one line. That is enough to know; I go back with a report.',
    ),
    report: t(
      'Plain lines are best, one for each day and habit: added at the end, easy to read, easy to mend. JSON was looked at and left, because one broken bracket spoils the whole file.',
    ),
    formatAnswer: t('One line for each day and habit:'),
    formatReason: t(
      'I looked into this from a checkpoint of my own and came back with the report above. What I saw on the way is kept in the tree, under its goal.',
    ),
  };
}
