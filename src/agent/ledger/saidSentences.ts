/** What a sentence is to a ledger: a standing rule, something to do now, or a decision with its reason. */
export type SaidKind = 'rule' | 'request' | 'decision';

export interface SaidSentence {
  readonly kind: SaidKind;
  /** As it was said, on one line; a long one is cut at its end. */
  readonly text: string;
}

/** The longest quotation, in UTF-16 units. */
const QUOTED = 400;

/** How many sentences of one message are taken: a pasted text may be full of them. */
const MOST_PER_MESSAGE = 24;

/**
 * The sentences of a text that are rules, requests, or decisions with a reason. A small classifier by words: a missed
 * sentence is still in the summary, and one too many takes a line. Code blocks and quotations are left out.
 */
export function saidSentences(text: string): SaidSentence[] {
  const sentences = sentencesOf(text);
  const found: SaidSentence[] = [];
  for (let at = 0; at < sentences.length && found.length < MOST_PER_MESSAGE; at += 1) {
    const sentence = sentences[at] ?? '';
    const next = sentences[at + 1];
    if (isDecision(sentence)) {
      if (hasReason(sentence)) found.push(quoted('decision', sentence));
      else if (next !== undefined && hasReason(next)) {
        found.push(quoted('decision', `${sentence} ${next}`));
        at += 1;
      } else found.push(...imperative(sentence));
    } else found.push(...imperative(sentence));
  }
  return found;
}

function quoted(kind: SaidKind, text: string): SaidSentence {
  return { kind, text: text.length <= QUOTED ? text : `${text.slice(0, QUOTED).toWellFormed()}…` };
}

function imperative(sentence: string): SaidSentence[] {
  if (isRule(sentence)) return [quoted('rule', sentence)];
  return isRequest(sentence) ? [quoted('request', sentence)] : [];
}

/** The longest text that is read, in UTF-16 units: nobody types more. */
const READ = 20_000;

function sentencesOf(text: string): string[] {
  const plain = text
    .slice(0, READ)
    .replaceAll(/^[ \t]*(`{3,}|~{3,})[^]*?(?:^[ \t]*\1[ \t]*$|$(?![^]))/gmu, '\n')
    .replaceAll(/^[ \t]*>.*$/gmu, '');
  return plain
    .split(/\n+/u)
    .map((line) => line.replace(/^\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,3}[.)]\s+)*/u, '').trim())
    .flatMap(sentencesOfLine)
    .map((sentence) => sentence.replaceAll(/\s+/gu, ' ').trim())
    .filter((sentence) => /\p{L}.*\p{L}/u.test(sentence));
}

/** A mark within a word or a name, as in `!important`, ends no sentence. */
function sentencesOfLine(line: string): string[] {
  const sentences: string[] = [];
  let begun = '';
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'sentence' }).segment(line)) {
    begun += segment;
    if (!/[\s。！？」』”]$/u.test(segment)) continue;
    sentences.push(begun);
    begun = '';
  }
  return [...sentences, begun].flatMap((sentence) => sentence.split(/(?<=；)\s*/u));
}

/** Whole words where a language puts blanks between them, any place where it does not. */
function words(...all: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${all.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
}

/** What may stand before the first word that counts. */
const LEAD =
  /^(?:(?:please|kindly|and|also|but|so|then|now|next|ok(?:ay)?|yes|no|well|first|finally|great|thanks|for now|in this (?:project|repo(?:sitory)?|chat|file)|bitte|und|auch|aber|also|dann|jetzt|als nächstes|zuerst|ja|nein|gut|por favor|y|merci|et|puis|пожалуйста|请你?|那么?|然后|现在|好的?|另外|还有|接下来)(?![\p{L}\p{N}]))?[\s,:.，、：!！]*/iu;

function withoutLead(sentence: string): string {
  let rest = sentence;
  for (let shorter = rest.replace(LEAD, ''); shorter !== rest; shorter = rest.replace(LEAD, ''))
    rest = shorter;
  return rest;
}

const question = /[?？]["'”’)]*$/u;
const asksWhy = new RegExp(
  `^(?:why|what|how|when|where|who|which|is|are|was|were|does|did|has|have|warum|wieso|weshalb|was|wie|wann|wo|wer|welche[rsmn]?|ist|sind|war|hat|pourquoi|comment|qué|cómo|por qué|почему|как)(?![\\p{L}\\p{N}])|^(?:为什么|怎么|什么|哪|如何|是不是|なぜ)`,
  'iu',
);
const asksPolitely = new RegExp(
  `^(?:(?:can|could|would|will) you|would you mind|kannst du|könntest du|würdest du|können sie|könnten sie|würden sie|(?:peux|pourrais)-tu|pouvez-vous|puedes|podrías|можешь|можете)(?![\\p{L}])|^(?:你?(?:能不能|可不可以|能否|可以|能))|(?:てくれますか|てもらえますか|いただけますか)`,
  'iu',
);

/** Said about something, and no instruction: "it never works". */
const observed =
  /(?<!\p{L})(?:it|this|that|there|he|she|they|es|das|er|sie) (?:still |just |almost |also |geht |läuft |ist )?(?:always|never|immer|nie|niemals)(?!\p{L})|(?<!\p{L})(?:must|muss) (?:have been|have had|be (?:a|an|some|wrong|down|broken|because|due|the reason)|wohl|daran)(?!\p{L})/iu;

const ruleWords = words(
  'always',
  'never',
  'must',
  "mustn['’]t",
  'from now on',
  'from here on',
  'in (?:the )?future',
  'at all times',
  'every time',
  'each time',
  'whenever you',
  'no matter what',
  'under no circumstances',
  'only ever',
  'make sure',
  'be sure',
  'ensure',
  'remember',
  'keep in mind',
  'avoid',
  'prefer',
  'stick (?:to|with)',
  'refrain from',
  "don['’]t ever",
  'do not ever',
  'immer',
  'stets',
  'nie(?:mals)?',
  'muss(?:t|en)?',
  'müssen',
  'darf(?:st)? (?:\\S+ ){0,5}(?:nicht|nie|kein\\S*)',
  'dürfen (?:\\S+ ){0,5}(?:nicht|nie|kein\\S*)',
  'ab (?:jetzt|sofort|heute)',
  'von (?:nun|jetzt) an',
  'künftig',
  'in zukunft',
  'jedes mal',
  'auf (?:jeden|keinen) fall',
  'unter keinen umständen',
  'grundsätzlich',
  'ausschließlich',
  'achte darauf',
  'stell\\S* sicher',
  'denk\\S* daran',
  'merk\\S* dir',
  'vermeide\\S*',
  'bevorzuge\\S*',
  'toujours',
  'jamais',
  'il faut',
  'désormais',
  'siempre',
  'nunca',
  'hay que',
  'debes?',
  'всегда',
  'никогда',
  'обязательно',
  'нельзя',
);
const ruleSigns =
  /总是|始终|永远|从不|绝不|绝对不|禁止|必须|务必|一定要|不许|不准|不得|从现在起|从现在开始|以后|今后|每次|千万|尽量|避免|记住|优先|统一(?:用|使用)|只(?:能|用|使用|允许)|必ず|常に|絶対に?|決して|今後|べき|禁止/u;

/** Forbidding is a rule wherever it begins: "don't touch the tests". */
const forbids =
  /^(?:do not|don['’]?t|no more|only (?:use|change|edit|touch|run|write)|nothing but|never|nicht|kein\p{L}*|nur|bloß (?:nicht|kein\p{L}*)|ne [^.]*(?:pas|jamais)|no (?:uses?|toques?|cambies?|hagas?|borres?)|не)(?!\p{L})|^(?:不要|别|勿|不可以|不用)|(?:しないで|するな|てはいけ)/iu;

function isRule(sentence: string): boolean {
  if (question.test(sentence) || asksWhy.test(withoutLead(sentence))) return false;
  if (forbids.test(withoutLead(sentence))) return true;
  return (ruleWords.test(sentence) || ruleSigns.test(sentence)) && !observed.test(sentence);
}

const begins = new RegExp(
  `^(?:${[
    'add|adjust|allow|analy[sz]e|answer|apply|ask|begin|bring|build|bump|call|change|check|clean|close|commit|compare|compute|configure|continue|convert|copy|correct|create|debug|define|delete|deploy|describe|disable|do|document|download|draft|drop|enable|explain|explore|export|extend|extract|find|finish|fix|focus|format|generate|get|give|go|group|handle|help|hide|ignore|implement|import|improve|include|increase|inline|inspect|install|instead|introduce|investigate|join|keep|leave|let|limit|list|load|log|look|make|mark|mention|merge|migrate|move|name|note|open|optimi[sz]e|pick|plan|polish|port|print|publish|push|put|read|rebase|redo|reduce|refactor|reformat|release|remove|rename|reorder|replace|report|restore|retry|return|reuse|revert|review|rewrite|run|save|search|send|separate|set|shorten|show|simplify|skip|sort|split|start|stay|stop|store|suggest|sum up|summari[sz]e|support|switch|take|tell|test|translate|treat|try|turn|undo|update|upgrade|use|validate|verify|wait|wire|work|wrap|write',
    'aktualisiere|ändere|behalte|behebe|benenne|benutze|beschreibe|beginne|baue?|erkläre|ergänze|erstelle|entferne|ersetze|finde|frag(?:e)?|füge|gib|hilf|implementiere|installiere|korrigiere|kürze|lass|lege|lies|lösche|mach(?:e)?|nenne|nimm|nutze|öffne|prüfe|schau|schreib(?:e)?|setze?|sortiere|starte|such(?:e)?|teste|trenne|übersetze|verbessere|vereinfache|vergiss|verschiebe|verwende|warte|zeig(?:e)?|\\p{L}+en sie',
    'ajoute[zr]?|utilise[zr]?|corrige[zr]?|écris|écrivez|fais|faites|supprime[zr]?|veuillez',
    'añade|usa|utiliza|corrige|escribe|crea|borra|cambia|haz',
    'добавь(?:те)?|используй(?:те)?|исправь(?:те)?|напиши(?:те)?|удали(?:те)?|создай(?:те)?|сделай(?:те)?',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);
const wishes = words(
  'please',
  'i (?:want|need) (?:you|it|this|that|the|a|an|to)',
  "i['’]d (?:like|prefer)",
  'i would (?:like|prefer)',
  'you (?:should|need to|have to|may not|can skip)',
  'we (?:should|need to|have to)',
  "let['’]?s",
  'bitte',
  'ich (?:möchte|will|brauche|hätte gern)',
  'du (?:sollst|solltest)',
  'sie (?:sollen|sollten)',
  'wir (?:sollten|brauchen)',
  "s['’]il (?:te|vous) plaît",
  'je (?:veux|voudrais)',
  'por favor',
  'quiero',
  'necesito',
  'пожалуйста',
  'я хочу',
);
const wishSigns =
  /^(?:请|麻烦|帮我|帮忙|给我|把|将|使用|用|添加|加上?|修改|改成?|删除|删掉|修复|更新|创建|新建|写|实现|检查|运行|测试|继续|重写|重构|翻译|解释|列出|生成|优化|保留|换成)|请(?:你|帮)?[^。]|我(?:想|希望|要你|需要你)|你(?:应该|需要|得)|我们(?:应该|需要)|てください|お願いします|てほしい|使って/u;

function isRequest(sentence: string): boolean {
  const rest = withoutLead(sentence);
  if (asksPolitely.test(rest)) return true;
  if (question.test(sentence) || asksWhy.test(rest)) return false;
  return begins.test(rest) || wishes.test(sentence) || wishSigns.test(rest) || sentence.startsWith('请');
}

const decisionWords = words(
  'decided',
  'decision',
  'chose',
  'chosen',
  'choose',
  'going with',
  'go(?:ing)? for',
  "(?:we|i)(?:['’]ll| will) (?:use|keep|go|take|stay|stick)",
  'go with',
  'went with',
  'settled on',
  'opted (?:for|to)',
  'agreed (?:on|to|that)',
  'instead of',
  'rather than',
  'entschieden',
  'entscheiden uns',
  'entscheidung',
  'gewählt',
  'nehmen wir',
  'wir nehmen',
  'bleiben (?:wir )?bei',
  '(?:an)?statt',
  'nous (?:avons choisi|choisissons|gardons)',
  'plutôt que',
  'hemos decidido',
  'elegimos',
  'en lugar de',
  'решили',
  'решено',
  'вместо',
);
const decisionSigns = /决定|选择了?|采用|选用|改用|而不是|沿用|にします|に決め|を採用/u;
const reasonWords = words(
  'because',
  'since',
  'so that',
  'due to',
  'as (?:it|they|we|the)',
  'the reason',
  'reason',
  'in order to',
  'weil',
  'da',
  'denn',
  'damit',
  'wegen',
  'grund',
  'um',
  'parce que',
  'car',
  'porque',
  'ya que',
  'потому что',
  'так как',
);
const reasonSigns = /因为|由于|以便|原因|理由|这样|ので|ため|から/u;

function isDecision(sentence: string): boolean {
  return !question.test(sentence) && (decisionWords.test(sentence) || decisionSigns.test(sentence));
}

function hasReason(sentence: string): boolean {
  return reasonWords.test(sentence) || reasonSigns.test(sentence);
}
