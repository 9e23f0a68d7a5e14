import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stopwords as danishWords } from '@orama/stopwords/danish';
import { stopwords as dutchWords } from '@orama/stopwords/dutch';
import { stopwords as englishWords } from '@orama/stopwords/english';
import { stopwords as finnishWords } from '@orama/stopwords/finnish';
import { stopwords as frenchWords } from '@orama/stopwords/french';
import { stopwords as germanWords } from '@orama/stopwords/german';
import { stopwords as italianWords } from '@orama/stopwords/italian';
import { stopwords as norwegianWords } from '@orama/stopwords/norwegian';
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese';
import { stopwords as russianWords } from '@orama/stopwords/russian';
import { stopwords as spanishWords } from '@orama/stopwords/spanish';
import { stopwords as swedishWords } from '@orama/stopwords/swedish';
import { withPlainLatin } from './searchText.ts';

// Loaded when a search first needs it, as it is of the size of a small program.

export interface Language {
  readonly stem: (word: string) => string;
  /** Words that stand in every text. */
  readonly common: ReadonlySet<string>;
  /** What words end in, apart from their stem: forms are made with these, and kept if they have the same stem. */
  readonly endings: readonly string[];
  /** Forms that no stemmer leads to one stem. */
  readonly irregular: ReadonlyMap<string, readonly string[]>;
  /** By the stems of their names, from 0. */
  readonly months: ReadonlyMap<string, number>;
  /** Whether a word begins as one of their names: few others have to be stemmed to know that they are none. */
  readonly beginsAsMonth: (word: string) => boolean;
}

/** Of the beginning of a month's name. */
const MONTH_LETTERS = 3;

function language(
  stem: (word: string) => string,
  common: readonly string[],
  endings: string,
  months: string,
  irregular = '',
): Language {
  const sets = irregular
    .split(',')
    .map((line) => line.trim().split(' '))
    .filter(({ length }) => length > 1);
  const names = months.split(' ');
  const beginnings = new Set(names.map((name) => name.slice(0, MONTH_LETTERS)));
  return {
    stem,
    common: new Set(common.flatMap((each) => each.toLowerCase().split(/[’']/u)).map(withPlainLatin)),
    endings: ['', ...endings.split(' ')],
    irregular: new Map(sets.flatMap((set) => set.map((each) => [each, set] as const))),
    months: new Map(names.map((name, month) => [stem(name), month])),
    beginsAsMonth: (word) => beginnings.has(word.slice(0, MONTH_LETTERS)),
  };
}

/** Without accents, as the words of the index are. The first one counts where nothing tells which it is. */
export const languages: readonly Language[] = [
  language(
    english,
    [...englishWords, ...'also could would should shall may might must tell us ok please'.split(' ')],
    's es ed d ing e er ers ly y ies ied ying ion ions al',
    'january february march april may june july august september october november december',
    `buy buys bought buying, make makes made making, take takes took taken, go goes went gone going, run ran runs running,
    win won wins winning, write wrote written writes, meet met meets meeting, see saw seen sees, give gave given gives,
    get got gotten gets, begin began begun begins, teach taught teaches, find found finds, feel felt feels,
    leave left leaves, keep kept keeps, think thought thinks, bring brought brings, catch caught, sell sold sells,
    send sent sends, spend spent spends, build built builds building, lose lost loses losing, pay paid pays,
    choose chose chosen chooses, break broke broken breaks, speak spoke spoken speaks, drive drove driven drives,
    ride rode ridden rides, eat ate eaten eats, fall fell fallen falls, grow grew grown grows, know knew known knows,
    draw drew drawn draws, fly flew flown flies, throw threw thrown, sing sang sung sings, swim swam swum swims,
    drink drank drunk drinks, hold held holds, hear heard hears, sleep slept sleeps, stand stood, understand understood,
    become became becomes, come came comes, wear wore worn wears, forget forgot forgotten, hide hid hidden,
    tell told tells, child children, man men, woman women, foot feet, mouse mice, person people, life lives, wife wives`,
  ),
  language(
    german,
    germanWords,
    'e en er es em s n t te ten st est end ung ungen et ern ens in innen',
    'januar februar marz april mai juni juli august september oktober november dezember',
  ),
  language(
    french,
    frenchWords,
    's e es er ez ent ons ait aient ant ee ees a ai as ont era is it ir re ment eur eurs ion ions aux al',
    'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  ),
  language(
    spanish,
    spanishWords,
    's es a as o os ar er ir ando iendo ado ada ados adas ido ida e en an amos aba aban io ia aron ieron cion ciones mente',
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  ),
  language(
    italian,
    italianWords,
    'a e i o are ere ire ando endo ato ata ati ate ito ita uto uta ano ono iamo ava avano eva zione zioni mente',
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  ),
  language(
    portuguese,
    portugueseWords,
    's es a as o os ar er ir ando endo ado ada ados adas ido ida e em am amos ava ou eu iu aram cao coes mente',
    'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  ),
  language(
    dutch,
    dutchWords,
    'e en s t te ten de den er ers ing ingen je jes d',
    'januari februari maart april mei juni juli augustus september oktober november december',
  ),
  language(
    swedish,
    swedishWords,
    'a ar arna an e en et er erna or orna ade at ande s ens ets t de',
    'januari februari mars april maj juni juli augusti september oktober november december',
  ),
  language(
    danish,
    danishWords,
    'e en et er erne ede ende s ens ets ne r t te',
    'januar februar marts april maj juni juli august september oktober november december',
  ),
  language(
    norwegian,
    norwegianWords,
    'e en et er ene a ede ende s ens ets te t r',
    'januar februar mars april mai juni juli august september oktober november desember',
  ),
  language(
    finnish,
    finnishWords,
    'a n t i in an en ssa sta lla lta lle na ksi ja jen ien iin issa ista illa illa ita at et vat nut isi',
    'tammikuu helmikuu maaliskuu huhtikuu toukokuu kesakuu heinakuu elokuu syyskuu lokakuu marraskuu joulukuu',
  ),
  language(
    russian,
    russianWords,
    'а я о е и ы у ю ь й ом ем ой ей ам ям ами ями ах ях ов ев ий ый ая яя ое ее ые ие ого его ому ему ым им ых их ую юю ть л ла ло ли ет ют ит ят ешь ал ала али ил ила или',
    'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  ),
];
