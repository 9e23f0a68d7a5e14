import { codeSamples } from './codeSamples.ts';
import type { DemoTopic, WrittenAnswer } from './demoBook.ts';

export const englishAnswers: Readonly<Record<DemoTopic, WrittenAnswer>> = {
  closure: {
    question: 'Explain what a closure is, with an example',
    asks: /\bclosures?\b/i,
    title: 'Closures',
    texts: [
      `A **closure** is a function together with the variables that were in reach where it was written. It keeps using those variables after the code around it has returned.

${codeSamples.closure}

\`createCounter\` has returned by the time \`next\` is called, yet \`count\` is still there. The returned function holds on to it, and nothing else can reach it.

- **Each call makes a new closure.** \`next\` and \`byTen\` share code, not state.
- **A closure captures the variable, not its value.** It sees later changes, which surprises people with \`var\` in loops: every function made in the loop shares one variable. With \`let\`, each round has its own.`,
      `Think of a function that leaves home and takes a backpack along. In the backpack are the variables it was written next to, and it can still use them wherever it is called.

\`\`\`js
function greeterFor(language) {
  const hello = { en: 'Hello', fr: 'Bonjour' }[language];
  return (name) => \`\${hello}, \${name}!\`;
}

const greet = greeterFor('fr');
greet('Ada'); // "Bonjour, Ada!"
\`\`\`

\`hello\` is local to \`greeterFor\`, which is finished. \`greet\` still has it: that pair, function and backpack, is the **closure**. Event handlers, callbacks and modules with private variables all work this way.

One caution: what is in the backpack can't be garbage-collected while the function lives.`,
    ],
  },
  lines: {
    question: 'Compare two ways to read a large file line by line',
    asks: /\b(?:line by line|(?:large|big|huge) file)\b/i,
    title: 'Reading a large file line by line',
    texts: [
      `Both read the file piece by piece, so memory stays small however large it is. In Node.js:

| | \`readline\` | split the stream yourself |
| :-- | :-- | :-- |
| Code | a few lines | some more, and easy to get wrong |
| Speed | good | often better |
| Line endings | \`\\n\`, \`\\r\\n\`, \`\\r\` | what you write for |
| A character cut in two by a chunk | handled | handled if the stream has an encoding |
| Use it | by default | when you have measured that it matters |

**1. \`readline\`**

${codeSamples.readline}

**2. Splitting chunks**

${codeSamples.chunks}

Start with the first. Whichever you take, don't collect all lines in an array: that brings back the memory you saved.`,
      `The question behind it is who decides when the next line comes.

**You pull**: a generator hands out one line each time you ask. In Python that is simply the file object:

\`\`\`python
with open("big.log", encoding="utf-8") as file:
    for line in file:
        handle(line.rstrip("\\n"))
\`\`\`

The loop sets the pace. \`break\` stops reading, and \`with\` closes the file whatever happens.

**It pushes**: a reader calls you for every line. In Node.js:

\`\`\`js
const lines = createInterface({ input: createReadStream('big.log') });
lines.on('line', handle);
lines.on('close', finish);
\`\`\`

This fits programs that react to many sources at once, but the reader doesn't wait: if \`handle\` starts slow asynchronous work, lines pile up in memory.`,
    ],
  },
  http: {
    question: 'Write a table of the HTTP status codes I need to know',
    asks: /\b(?:http|status codes?|tables?)\b/i,
    title: 'HTTP status codes',
    texts: [
      `| Code | Name | What it means for you |
| --: | :-- | :-- |
| 200 | OK | It worked; the answer is in the body |
| 201 | Created | Something new exists; \`Location\` says where |
| 204 | No Content | It worked, and there is nothing to read |
| 301 | Moved Permanently | Use the new address from now on |
| 304 | Not Modified | What you have in the cache is still good |
| 400 | Bad Request | The request itself is wrong; sending it again won't help |
| 401 | Unauthorized | Who are you? Sign in, or renew the token |
| 403 | Forbidden | I know who you are, and you may not |
| 404 | Not Found | Nothing here, or nothing you may know of |
| 409 | Conflict | Someone changed it first; read it again |
| 422 | Unprocessable Content | Well formed, but the values make no sense |
| 429 | Too Many Requests | Slow down; \`Retry-After\` says how long |
| 500 | Internal Server Error | The server failed |
| 502 | Bad Gateway | A server behind this one failed |
| 503 | Service Unavailable | Overloaded or in maintenance; try again later |
| 504 | Gateway Timeout | A server behind this one took too long |

The first digit tells most of it: **2** worked, **3** look elsewhere, **4** your request, **5** our server. Retry 429, 502, 503 and 504 with growing delays; never retry other 4xx codes unchanged.`,
      `Sorted by what you do when you meet one:

| You | Codes | Remember |
| :-- | :-- | :-- |
| carry on | 200, 201, 204 | 204 has no body: don't parse it |
| follow | 301, 302, 307, 308 | 307 and 308 keep the method; 301 and 302 often turn POST into GET |
| use your copy | 304 | answers \`If-None-Match\` |
| fix the request | 400, 404, 405, 415, 422 | repeating it changes nothing |
| sign in | 401 | then repeat once |
| give up, or ask for rights | 403 | signing in again won't help |
| read again and merge | 409, 412 | someone was faster |
| wait and repeat | 429, 502, 503, 504 | honor \`Retry-After\`, add jitter |
| report it | 500, 501 | a bug on their side |

If you write the server: choose the code for what the client should *do* next, and say the reason in the body.`,
    ],
  },
  typescript: {
    question: 'Write a debounce function in TypeScript',
    asks: /\b(?:typescript|javascript|debounce)\b/i,
    title: 'Debounce in TypeScript',
    texts: [
      `${codeSamples.typescript}

Each call cancels the one before, so \`run\` is called once, 300 ms after the last keystroke. The type parameter \`A\` passes the argument types through: \`save(1)\` is an error.

Two things to decide before you use it: whether the first call should go through at once, and whether what is pending is run or dropped when the page closes.`,
    ],
  },
  rust: {
    question: 'Show error handling in Rust',
    asks: /\brust\b/i,
    title: 'Errors in Rust',
    texts: [
      `${codeSamples.rust}

- \`?\` returns the error to the caller, or unwraps the value.
- \`map_err\` says what failed, so that the caller can tell a missing file from a bad number.
- The return type of \`parse\` is inferred from \`Result<u16, …>\`: \`70000\` is an error, not a wrong port.

In an application, the crate \`anyhow\` saves you the enum. In a library, keep it: callers want to match on it.`,
    ],
  },
  go: {
    question: 'Fetch several pages at once in Go',
    asks: /\b(?:golang|goroutines?|in go)\b/i,
    title: 'Several requests at once in Go',
    texts: [
      `${codeSamples.go}

Each goroutine writes to its own element, so no lock is needed. \`WaitGroup\` waits for all of them. Since Go 1.22 each round of the loop has its own \`i\` and \`url\`.

With hundreds of addresses, limit how many run at once: \`errgroup\` has \`SetLimit\`, and it hands back the first error too.`,
    ],
  },
  sql: {
    question: 'Find the newest order of each customer in SQL',
    asks: /\bsql\b/i,
    title: 'The newest row of each group, in SQL',
    texts: [
      `${codeSamples.sql}

\`ROW_NUMBER\` counts within each customer, newest first; the outer query keeps number one. The \`id\` in the order decides between two orders of the same moment, so that the result never changes by chance.

An index on \`(customer_id, placed_at DESC, id DESC)\` makes it a walk through the index.`,
    ],
  },
  python: {
    question: 'Count the most common words of a text in Python',
    asks: /\bpython\b/i,
    title: 'The most common words, in Python',
    texts: [
      `${codeSamples.python}

- \`\\w+\` takes letters of any script, digits and the underscore.
- \`Counter\` is a dictionary that counts; \`most_common\` sorts it for you.
- Words that occur equally often keep the order in which they were first seen.

For a file that does not fit into memory, call \`counter.update(words)\` line by line.`,
    ],
  },
  regex: {
    question: 'Write a regular expression for dates',
    asks: /\b(?:regex|regexp|regular expressions?)\b/i,
    title: 'A regular expression for dates',
    texts: [
      `${codeSamples.regex}

| Part | Means |
| :-- | :-- |
| \`^\` … \`$\` | the whole text, not a piece of it |
| \`(?<year>…)\` | a group with a name |
| \`0[1-9]\\|1[0-2]\` | 01 to 12 |

It accepts \`2026-02-30\`: an expression knows digits, not calendars. Check the shape with it, and the date with a date library.`,
    ],
  },
  tests: {
    question: 'Write unit tests for a small function',
    asks: /\b(?:unit tests?|write (?:a )?tests?)\b/i,
    title: 'Unit tests for a small function',
    texts: [
      `${codeSamples.test}

Run it with \`node --test\`. Each name is a sentence that says what holds; read together they are the specification.

What makes them worth having: one reason to fail each, no order between them, and the odd inputs first (empty, blank, only signs).`,
    ],
  },
  debugging: {
    question: 'How do I find a bug that only happens sometimes?',
    asks: /\b(?:debug(?:ging)?|flaky|(?:find|fix) (?:a|the|my) bug|bug)\b/i,
    title: 'A bug that only happens sometimes',
    texts: [
      `1. **Make it happen more often.** Run it in a loop, under load, with the clock or the network made slow.
2. **Write down what differs** between a good run and a bad one: time, order, data, machine.
3. **Halve the distance.** \`git bisect run ./repeat.sh\` finds the commit; logging before and after finds the line.
4. **Say what you believe**, then look for the one measurement that would prove you wrong.
5. **Fix it, and see the loop stay green** for ten times as long as it used to take to fail.

The usual suspects: two things that race, an order nobody promised, a time-out that was generous on your machine, state left over from the test before.

> Each idea deserves its own branch: rewind to this answer, and follow another suspect.`,
    ],
  },
  git: {
    question: 'How do I undo things in git?',
    asks: /\bgit\b|\bundo (?:a|the|my)? ?(?:last )?commit\b/i,
    title: 'Undoing things in git',
    texts: [
      `| You want to | Command |
| :-- | :-- |
| change the last message | \`git commit --amend\` |
| undo the last commit, keep its changes | \`git reset --soft HEAD~1\` |
| drop the changes of one file | \`git restore <file>\` |
| take a file out of the next commit | \`git restore --staged <file>\` |
| undo a commit that others have | \`git revert <commit>\` |
| find a commit you lost | \`git reflog\` |

Rule of thumb: what you have pushed, **revert**; what only you have, **reset**. Almost everything you committed once can be found again with \`git reflog\`; what was never committed can't.`,
    ],
  },
  sorting: {
    question: 'Compare sorting algorithms',
    asks: /\b(?:sort(?:ing)?|quicksort|big[ -]o|complexity)\b/i,
    title: 'Sorting algorithms',
    texts: [
      `| Algorithm | Typical | Worst | Extra memory | Stable |
| :-- | :-- | :-- | :-- | :-- |
| Insertion sort | $O(n^2)$ | $O(n^2)$ | $O(1)$ | yes |
| Merge sort | $O(n \\log n)$ | $O(n \\log n)$ | $O(n)$ | yes |
| Quicksort | $O(n \\log n)$ | $O(n^2)$ | $O(\\log n)$ | no |
| Heapsort | $O(n \\log n)$ | $O(n \\log n)$ | $O(1)$ | no |
| Radix sort | $O(nk)$ | $O(nk)$ | $O(n + k)$ | yes |

Use what your language offers: it is usually Timsort or introsort, which take the best of several rows. *Stable* means that equal items keep their order; you notice it when you sort by name and then by city.`,
    ],
  },
  formula: {
    question: 'Show me the formula for solving a quadratic equation',
    asks: /\b(?:formulas?|quadratic|equations?|maths?|mathematics|latex)\b/i,
    title: 'Quadratic equations',
    texts: [
      `For $ax^2 + bx + c = 0$ with $a \\neq 0$:

$$
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

The part under the root, $D = b^2 - 4ac$, decides: two solutions if $D > 0$, one if $D = 0$, none among the real numbers if $D < 0$.

**Example.** $x^2 - 5x + 6 = 0$ has $D = 25 - 24 = 1$, so

$$
x = \\frac{5 \\pm 1}{2} \\quad\\Rightarrow\\quad x_1 = 3,\\; x_2 = 2
$$

Check: $3 + 2 = 5$ and $3 \\cdot 2 = 6$.`,
    ],
  },
  plan: {
    question: 'Plan a small web app for one weekend',
    asks: /\bplan(?:s|ning)?\b/i,
    title: 'A small web app in one weekend',
    texts: [
      `**Saturday**

- [ ] Morning: one sentence that says what it does, and one page on paper
- [ ] Noon: that page with made-up data, no server
- [ ] Afternoon: the one action that matters, from click to storage
- [ ] Evening: put it online, however little it does

**Sunday**

- [ ] Morning: let two people use it while you say nothing
- [ ] Noon: fix the first thing each of them stumbled over
- [ ] Afternoon: errors, empty states, narrow screens
- [ ] Evening: a short README, and stop

| Leave out | Because |
| :-- | :-- |
| accounts | a secret link will do for now |
| settings | choose one, change it later |
| a framework you wanted to learn | one new thing at a time |`,
      `Begin at the end: on Sunday at six someone uses it. What must be there?

1. **One address** that opens. So: deploy first, on Saturday before lunch.
2. **One action** that is worth it. So: everything else is made up until that works.
3. **One friend** who tries it. So: ask them now, for Sunday at two.

Then cut: whatever serves none of the three goes on a list called “later”.

> This is the second plan for one question. The first is one click away, and neither is lost.`,
    ],
  },
  mail: {
    question: 'Write a polite mail that asks for more time',
    asks: /\b(?:e-?mail|mail|letter)\b/i,
    title: 'Asking for more time',
    texts: [
      `> **Subject:** Report: Thursday instead of Tuesday
>
> Hi Kim,
>
> the report will not be ready by Tuesday: the figures for March arrived today, and I want to check them before you rely on them. You will have it **Thursday at noon**.
>
> If Tuesday matters more than March, tell me by tomorrow and I will send it without.
>
> Best, Ada

Why it works: the new date is in the subject, one reason and no apology tour, and the reader has a choice.`,
    ],
  },
  haiku: {
    question: 'Write a haiku about branches',
    asks: /\b(?:haiku|poem|poetry)\b/i,
    title: 'A haiku about branches',
    texts: [
      `> One question, two ways.
> I walk back to where they part;
> both trees keep their leaves.`,
      `> A wrong turn is kept,
> a small light in the dark tree:
> someone has been here.`,
    ],
  },
  sky: {
    question: 'Why is the sky blue?',
    asks: /\bsky\b/i,
    title: 'Why the sky is blue',
    texts: [
      `Sunlight has all colors. The molecules of the air are much smaller than its waves, and such small things scatter short waves far more than long ones:

$$
I \\propto \\frac{1}{\\lambda^4}
$$

Blue light (about 450 nm) is scattered about four times as much as red (about 650 nm), so blue reaches your eyes from every direction, and red mostly straight from the sun.

- **Why not violet?** The sun sends less of it, and our eyes see it poorly.
- **Why is sunset red?** The light takes a longer way through the air; the blue has been scattered off to the sides.`,
    ],
  },
  branches: {
    question: 'What are branches and checkpoints in Offshoot?',
    asks: /\b(?:branch(?:es)?|checkpoints?|rewind(?:ing)?|offshoot)\b/i,
    title: 'Branches, checkpoints, rewinding',
    texts: [
      `| Word | Means | Try it |
| :-- | :-- | :-- |
| **Branch** | one way that the conversation took | click another one in the tree |
| **Rewind** | go on from an earlier message, on a branch of its own | right-click a message, **Rewind to Here** |
| **Checkpoint** | a bookmark on a message | **Create Checkpoint**, then restore it from the tree |
| **By the Way** | a side question in a card of its own | Ctrl+Enter in the input |

Nothing is overwritten: what you leave stays in the tree, with the files as they were on it.`,
    ],
  },
  hello: {
    question: 'Hello',
    asks: /^\W*(?:hi|hello|hey|good (?:morning|evening|day)|thanks|thank you|how are you|who are you)\b/i,
    title: 'Hello',
    texts: [
      `Nice to meet you. I am the offline demo: no model is at work, nothing leaves this machine, and my answers were written beforehand. That is enough to see what Offshoot does with a conversation.

Three minutes:

1. Ask \`task\` and see an agent work on a sample file.
2. Right-click your question, choose **Rewind to Here**, and ask something else.
3. Look at the tree: both ways are there.`,
    ],
  },
};
