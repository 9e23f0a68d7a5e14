// Conversations made from templates, with facts in them, and questions about these in other words. The same each time.

/** The minimal standard generator of Park and Miller. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

type Some<T> = readonly [T, ...T[]];

interface Templates {
  readonly names: Some<string>;
  readonly things: Some<string>;
  readonly places: Some<string>;
  /** `{n}` a name, `{t}` a thing, `{p}` a place: what is said, and what is asked for it later. */
  readonly facts: Some<readonly [said: string, asked: string]>;
  /** A fact that is an answer to a question: the answer says little of what it is about. */
  readonly answers: Some<readonly [question: string, answer: string, asked: string]>;
  readonly talk: Some<string>;
}

const english: Templates = {
  names: [
    'Ada',
    'Boris',
    'Chloe',
    'Dmitri',
    'Elena',
    'Farid',
    'Greta',
    'Hugo',
    'Ines',
    'Jonas',
    'Karin',
    'Leon',
    'Mona',
    'Nadia',
    'Omar',
    'Petra',
  ],
  things: [
    'kayak',
    'violin',
    'certificate',
    'telescope',
    'invoice',
    'bakery',
    'greenhouse',
    'parser',
    'pottery kiln',
    'migration',
    'bicycle',
    'novel',
  ],
  places: ['Lisbon', 'Oslo', 'Kyoto', 'Toronto', 'Nairobi', 'Lima', 'Dublin', 'Prague', 'Hanoi', 'Quito'],
  facts: [
    ['{n} bought a {t} in {p} last spring, and it was rather expensive', 'When did {n} buy the {t} in {p}?'],
    [
      'For the {t}, {n} is planning to move to {p} as soon as the contract is signed',
      'Where does {n} plan to move for the {t}?',
    ],
    [
      'The {t} of {n} was damaged on the way from {p}; repairing it took two weeks',
      'How long did the repair take after damages to the {t} of {n}?',
    ],
    [
      '{n} decided against the {t}: the deliveries from {p} were always late',
      'Why did {n} decide not to keep the {t} with deliveries from {p}?',
    ],
    [
      'We agreed that {n} teaches the others how the {t} works when we meet in {p}',
      'Who is teaching us the {t} in {p}, is it {n}?',
    ],
  ],
  answers: [
    [
      '{n}, how did it go with the {t} in {p}?',
      'Better than I thought: they gave me the {t} with a discount of a third',
      'What happened to {n} with the {t} in {p}?',
    ],
  ],
  talk: [
    'That sounds good, let us look at it again tomorrow',
    'I had a long day and only want to rest',
    '{n} says hello, by the way',
    'Has anybody been to {p} recently?',
    'I am still thinking about the {t}',
    'The weather was awful this week',
    'Thanks, that helps a lot',
    'Could you summarize what we have so far?',
    'My family likes it here more than in {p}',
    '{n} and I talked for hours',
    'The {t} can wait until next month',
  ],
};
const german: Templates = {
  names: [
    'Anna',
    'Bernd',
    'Clara',
    'Dieter',
    'Emil',
    'Frieda',
    'Gustav',
    'Hanna',
    'Ivo',
    'Jette',
    'Klaus',
    'Lotte',
  ],
  things: [
    'Fahrrad',
    'Klavier',
    'Zeugnis',
    'Fernrohr',
    'Rechnung',
    'Gewächshaus',
    'Segelboot',
    'Datenbank',
    'Werkzeug',
    'Teppich',
  ],
  places: ['Hamburg', 'Wien', 'Zürich', 'Bremen', 'Dresden', 'Graz', 'Basel', 'Leipzig'],
  facts: [
    [
      '{n} hat das Ding verkauft, also {t}, weil die Wohnungen in {p} so teuer sind',
      'Warum verkaufte {n} {t}, wegen der Wohnung in {p}?',
    ],
    ['{t}: {n} wartet seit Wochen auf Lieferungen aus {p}', 'Worauf wartete {n} bei {t} aus {p}?'],
  ],
  answers: [
    [
      '{n}, was wurde aus {t} in {p}?',
      'Am Ende gab es bei {t} zehn Prozent Nachlass',
      'Was geschah bei {n} mit {t} in {p}?',
    ],
  ],
  talk: [
    'Das klingt gut',
    'Ich war heute lange unterwegs',
    '{n} lässt grüßen',
    'War jemand zuletzt in {p}?',
    'Über {t} denke ich noch nach',
    'Das Wetter war furchtbar',
  ],
};
const french: Templates = {
  names: [
    'Amélie',
    'Bruno',
    'Camille',
    'Denis',
    'Élise',
    'Fabien',
    'Gaëlle',
    'Henri',
    'Inès',
    'Julien',
    'Lucie',
  ],
  things: ['vélo', 'piano', 'certificat', 'télescope', 'facture', 'serre', 'voilier', 'tapis', 'four'],
  places: ['Lyon', 'Nantes', 'Genève', 'Liège', 'Bordeaux', 'Québec', 'Dakar'],
  facts: [
    [
      '{n} a acheté un {t} ancien à {p}, et les voisins étaient jaloux',
      'Quel {t} {n} achètera ou acheta à {p} ?',
    ],
    ['Pour le {t}, {n} cherche des ouvriers à {p}', 'Qui cherchait un ouvrier à {p} pour le {t}, {n} ?'],
  ],
  answers: [
    [
      '{n}, comment va le {t} à {p} ?',
      'Très bien, la réparation du {t} était gratuite',
      'Que devient le {t} de {n} à {p} ?',
    ],
  ],
  talk: [
    'C’est une bonne idée',
    'La journée était longue',
    '{n} te salue',
    'Qui connaît {p} ?',
    'Je pense encore au {t}',
    'Il pleut depuis lundi',
  ],
};
const russian: Templates = {
  names: ['Анна', 'Борис', 'Вера', 'Глеб', 'Дарья', 'Егор', 'Зоя', 'Илья', 'Ксения', 'Лев'],
  things: ['велосипед', 'пианино', 'сертификат', 'телескоп', 'ковёр', 'роман', 'парусник'],
  places: ['Казань', 'Тверь', 'Омск', 'Рига', 'Минск', 'Самара'],
  facts: [['{n}: вчера читала новую книгу, там {t} и город {p}', 'Какие книги читает {n}, где {t} и {p}?']],
  answers: [
    ['{n}, что с вещью: {t}, {p}?', 'Всё хорошо, за {t} мне вернули деньги', 'Что стало: {n}, {t}, {p}?'],
  ],
  talk: [
    'Это хорошая мысль',
    'День был долгим',
    '{n} передаёт привет',
    'Кто был тут: {p}?',
    'Я думаю ещё, {t}',
  ],
};
const chinese: Templates = {
  names: ['小明', '丽华', '建国', '美玲', '志强', '晓东', '雅婷', '文斌'],
  things: ['望远镜', '钢琴', '自行车', '证书', '帆船', '地毯', '发票'],
  places: ['上海', '成都', '杭州', '西安', '厦门', '昆明'],
  facts: [
    ['{n}去年春天在{p}买了一台{t}，价格很贵', '{n}什么时候在{p}买的{t}？'],
    ['因为{t}，{n}打算搬到{p}去住', '{n}为了{t}要搬去{p}吗？'],
  ],
  answers: [['{n}，{p}的{t}怎么样了？', '比想的好，{t}打了七折', '{n}在{p}的{t}后来怎么样？']],
  talk: ['听起来不错', '今天很累', '{n}向你问好', '最近有人去过{p}吗？', '我还在想{t}的事'],
};

const languages = [english, english, english, german, french, russian, chinese];

export interface PlantedChat {
  readonly id: string;
  readonly messages: readonly string[];
}

export interface PlantedQuestion {
  readonly text: string;
  /** The messages that answer it, as `chat/index`: several chats may say the same. */
  readonly answers: ReadonlySet<string>;
}

/** Three facts are planted in each chat. @param length in messages */
export function plantedFacts(
  chats: number,
  length: number,
): { readonly chats: readonly PlantedChat[]; readonly questions: readonly PlantedQuestion[] } {
  const answers = new Map<string, Set<string>>();
  const planted = Array.from({ length: chats }, (_, number) => {
    const next = numbers(number * 7919 + 1);
    const of = languages[number % languages.length] ?? english;
    const pick = <T>(all: readonly [T, ...T[]]): T => all[next(all.length)] ?? all[0];
    const fill = (template: string, values: Readonly<Record<string, string>>): string =>
      template.replaceAll(/\{(\w)\}/gu, (whole, name: string) => values[name] ?? whole);
    const values = (): Record<string, string> => ({
      n: pick(of.names),
      t: pick(of.things),
      p: pick(of.places),
    });
    // Some words are seldom, as in any language.
    const seldom = (): string => (next(3) === 0 ? ` (${next(50_000).toString(36)})` : '');
    const messages = Array.from({ length }, () => `${fill(pick(of.talk), values())}${seldom()}.`);
    const third = Math.floor(length / 3);
    for (let fact = 0; fact < 3; fact++) {
      const about = values();
      const at = third * fact + next(third - 2);
      const isAnswer = fact === 2;
      const [said, asked, answer = ''] = isAnswer
        ? (([question, told, query]) => [question, query, told])(pick(of.answers))
        : pick(of.facts);
      messages[at] = `${fill(said, about)}.`;
      if (isAnswer) messages[at + 1] = `${fill(answer, about)}.`;
      const text = fill(asked, about);
      const known = answers.get(text) ?? new Set();
      answers.set(text, known.add(`chat-${number}/${isAnswer ? at + 1 : at}`));
    }
    return { id: `chat-${number}`, messages };
  });
  return { chats: planted, questions: Array.from(answers, ([text, all]) => ({ text, answers: all })) };
}
