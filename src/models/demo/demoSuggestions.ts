/** Named here, so that an import in an example is not mistaken for one of this file. */
const FS = 'node:fs';
const READLINE = 'node:readline';

const WITH_READLINE = `\`\`\`js
import { createReadStream } from '${FS}';
import { createInterface } from '${READLINE}';

const lines = createInterface({ input: createReadStream('big.log'), crlfDelay: Infinity });
for await (const line of lines) {
  handle(line);
}
\`\`\``;

const BY_CHUNKS = `\`\`\`js
let rest = '';
for await (const chunk of createReadStream('big.log', 'utf8')) {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) handle(line);
}
if (rest !== '') handle(rest);
\`\`\``;

/** Handwritten, so that a first try gives useful text. By suggested question in each language; one for each attempt. */
const SUGGESTED: Readonly<Record<string, readonly string[]>> = {
  'Explain what a closure is, with an example': [
    `A **closure** is a function together with the variables that were in reach where it was written. It keeps using those variables after the code around it has returned.

\`\`\`ts
function createCounter(step = 1): () => number {
  let count = 0;
  return () => (count += step);
}

const next = createCounter();
next(); // 1
next(); // 2

const byTen = createCounter(10);
byTen(); // 10: a count of its own
\`\`\`

\`createCounter\` has returned by the time \`next\` is called, yet \`count\` is still there. The returned function holds on to it, and nothing else can reach it.

Two things follow:

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

\`hello\` is local to \`greeterFor\`, which is finished. \`greet\` still has it: that pair, function and backpack, is the **closure**.

You use closures all the time: event handlers that know which row was clicked, callbacks that remember an id, functions with some arguments filled in, and modules that keep a variable private.

One caution: what is in the backpack can't be garbage-collected while the function lives. A long-lived handler that captures a large object keeps that object in memory.`,
  ],
  'Compare two ways to read a large file line by line': [
    `Both read the file piece by piece, so memory stays small however large it is. In Node.js:

| | \`readline\` | split the stream yourself |
| :-- | :-- | :-- |
| Code | a few lines | some more, and easy to get wrong |
| Speed | good | often better |
| Line endings | \`\\n\`, \`\\r\\n\`, \`\\r\` | what you write for |
| A character cut in two by a chunk | handled | handled if the stream has an encoding |
| Use it | by default | when you have measured that it matters |

**1. \`readline\`**

${WITH_READLINE}

**2. Splitting chunks**

${BY_CHUNKS}

Start with the first. Whichever you take, don't collect all lines in an array: that brings back the memory you saved.`,
    `The question behind it is who decides when the next line comes.

**You pull** – a generator hands out one line each time you ask. In Python that is simply the file object:

\`\`\`python
with open("big.log", encoding="utf-8") as file:
    for line in file:
        handle(line.rstrip("\\n"))
\`\`\`

The loop sets the pace. \`break\` stops reading, and \`with\` closes the file whatever happens.

**It pushes** – a reader calls you for every line. In Node.js:

\`\`\`js
const lines = createInterface({ input: createReadStream('big.log') });
lines.on('line', handle);
lines.on('close', finish);
\`\`\`

This fits programs that react to many sources at once, but the reader doesn't wait: if \`handle\` starts slow asynchronous work, lines pile up in memory.

- Sequential work, early exit, errors as exceptions: **pull**.
- Several sources at once, quick handlers: **push**, with a limit on what is in flight.`,
  ],
  'Write a table of the HTTP status codes I need to know': [
    `| Code | Name | What it means for you |
| --: | :-- | :-- |
| 200 | OK | It worked; the answer is in the body |
| 201 | Created | Something new exists; \`Location\` says where |
| 204 | No Content | It worked, and there is nothing to read |
| 301 | Moved Permanently | Use the new address from now on |
| 302 | Found | Go there this time |
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
  举例说明什么是闭包: [
    `**闭包**是一个函数，加上它被写下时能够访问的变量。外层代码返回之后，它仍然可以使用这些变量。

\`\`\`ts
function createCounter(step = 1): () => number {
  let count = 0;
  return () => (count += step);
}

const next = createCounter();
next(); // 1
next(); // 2

const byTen = createCounter(10);
byTen(); // 10：它有自己的 count
\`\`\`

调用 \`next\` 时，\`createCounter\` 早已返回，但 \`count\` 还在：返回的函数持有它，其他代码都访问不到。

- **每次调用都会产生一个新的闭包。** \`next\` 和 \`byTen\` 共用代码，但不共用状态。
- **闭包捕获的是变量，而不是当时的值。** 循环里用 \`var\` 时，所有函数共用同一个变量；用 \`let\` 时，每一轮都有自己的变量。`,
  ],
  比较逐行读取大文件的两种方法: [
    `两种方法都是分块读取，所以无论文件多大，内存占用都很小。以 Node.js 为例：

| | \`readline\` | 自己拆分数据流 |
| :-- | :-- | :-- |
| 代码 | 几行 | 稍多，也容易出错 |
| 速度 | 好 | 往往更快 |
| 换行符 | \`\\n\`、\`\\r\\n\`、\`\\r\` | 取决于你的代码 |
| 适用场合 | 默认选择 | 测量后确认有必要时 |

${WITH_READLINE}

${BY_CHUNKS}

先用第一种。无论用哪种，都不要把所有行收集到一个数组里，否则省下的内存又用回去了。`,
  ],
  '写一张我需要知道的 HTTP 状态码表': [
    `| 状态码 | 名称 | 含义 |
| --: | :-- | :-- |
| 200 | OK | 成功，结果在正文中 |
| 201 | Created | 已创建，地址见 \`Location\` |
| 204 | No Content | 成功，没有正文 |
| 301 | Moved Permanently | 以后请用新地址 |
| 304 | Not Modified | 缓存仍然有效 |
| 400 | Bad Request | 请求本身有误，重发无用 |
| 401 | Unauthorized | 请先登录或更新令牌 |
| 403 | Forbidden | 身份已知，但没有权限 |
| 404 | Not Found | 这里什么都没有 |
| 409 | Conflict | 别人先改了，请重新读取 |
| 422 | Unprocessable Content | 格式正确，但内容不合理 |
| 429 | Too Many Requests | 请慢一些，等待时间见 \`Retry-After\` |
| 500 | Internal Server Error | 服务器出错 |
| 502 | Bad Gateway | 后面的服务器出错 |
| 503 | Service Unavailable | 过载或维护中，请稍后再试 |
| 504 | Gateway Timeout | 后面的服务器超时 |

看第一位数字就能明白大半：**2** 成功，**3** 到别处去，**4** 请求有问题，**5** 服务器有问题。429、502、503、504 可以隔一段时间重试，其他 4xx 不要原样重试。`,
  ],
};

/** The answer to a suggested question; undefined for any other, and after all its answers are used. */
export function suggestedAnswer(question: string, attempt: number): string | undefined {
  const text = question.trim();
  return Object.hasOwn(SUGGESTED, text) ? SUGGESTED[text]?.[attempt - 1] : undefined;
}
