import { englishWords, oddWords, spanishWords } from './gibberish-words.ts';
import { isAscii } from './text.ts';

/**
 * A local check for typed nonsense, English and Spanish (docs/specification.md#gibberish-check). It
 * looks for keyboard mash, not for style: wrongly flagging a real description costs a person their
 * case, so a text is only called gibberish when hardly a word of it is known and most of its letters
 * stand in sequences that neither language has. What is doubtful passes.
 */

/** A text with at least this share of known words is never gibberish. */
const KNOWN_SHARE_THAT_CLEARS = 0.25;
/** Share of the letters that must stand in mashed words. */
const MASHED_SHARE_THAT_CONDEMNS = 0.6;
/** Mean probability (log2 per letter) under which an unknown word counts as mashed. */
const MASHED_LOG2_PER_LETTER = -5.6;
/** Words shorter than this are too short to judge. */
const SHORTEST_JUDGED_WORD = 3;
/** Weights of the three orders of the letter model; the rest goes to an even spread. */
const TRIGRAM_WEIGHT = 0.6;
const BIGRAM_WEIGHT = 0.28;
const UNIGRAM_WEIGHT = 0.1;
const ALPHABET_SIZE = 27;

/** Rows and neighbour columns of the keyboard, as fingers run over them. */
const keyboardRuns = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  'abcdefghijklmnopqrstuvwxyz',
];
/** A run this long is seldom chance; shorter ones count only where a word is nothing else. */
const LONG_KEYBOARD_RUN_LETTERS = 4;
const SHORT_KEYBOARD_RUN_LETTERS = 3;

const known: ReadonlySet<string> = new Set([...englishWords, ...spanishWords, ...oddWords]);

/** Counts of letter sequences of one, two and three, `^` before and `$` after a word. */
function countSequences(words: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (sequence: string) => counts.set(sequence, (counts.get(sequence) ?? 0) + 1);
  for (const word of words) {
    const framed = `^${word}$`;
    for (let at = 0; at < framed.length; at += 1) {
      add(framed.slice(at, at + 1));
      add('');
      if (at + 2 <= framed.length) add(framed.slice(at, at + 2));
      if (at + 3 <= framed.length) add(framed.slice(at, at + 3));
    }
  }
  return counts;
}

const counts = countSequences(new Set([...englishWords, ...spanishWords]));

/** Mean log2 probability of a word's letters, each given the two before it. */
function meanLog2(word: string): number {
  const framed = `^${word}$`;
  const count = (sequence: string) => counts.get(sequence) ?? 0;
  let sum = 0;
  for (let at = 1; at < framed.length; at += 1) {
    const letter = framed.charAt(at);
    const one = framed.slice(at - 1, at);
    const two = framed.slice(Math.max(0, at - 2), at);
    const after = (context: string) =>
      count(context) === 0 ? 0 : count(context + letter) / count(context);
    const probability =
      TRIGRAM_WEIGHT * (two.length === 2 ? after(two) : after(one)) +
      BIGRAM_WEIGHT * after(one) +
      UNIGRAM_WEIGHT * after('') +
      (1 - TRIGRAM_WEIGHT - BIGRAM_WEIGHT - UNIGRAM_WEIGHT) / ALPHABET_SIZE;
    sum += Math.log2(probability);
  }
  return sum / (framed.length - 1);
}

/** Lower case without accents. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whether one letter dropped, added or swapped away makes it a known word. Words of 4 letters and more. */
function isNearlyKnown(word: string): boolean {
  if (word.length < 4) return false;
  // "soooo baaad": stretched letters.
  const single = word.replace(/(.)\1+/g, '$1');
  const double = word.replace(/(.)\1+/g, '$1$1');
  if (single.length > 1 && (known.has(single) || known.has(double))) return true;
  for (let at = 0; at < word.length; at += 1) {
    const before = word.slice(0, at);
    if (word.length > 4 && known.has(before + word.slice(at + 1))) return true;
    if (at + 1 < word.length) {
      if (known.has(before + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)))
        return true;
    }
  }
  return false;
}

/** Common endings, so that the list need not have every form of a word. */
const endings =
  /(?:s|es|ed|ing|ly|er|ers|mente|ito|ita|itos|itas|ando|iendo|aron|ieron|ado|ada|ados|adas)$/;

function isKnown(word: string): boolean {
  if (known.has(word) || isNearlyKnown(word)) return true;
  const stem = word.replace(endings, '');
  return (
    stem.length >= 3 &&
    stem !== word &&
    (known.has(stem) ||
      known.has(`${stem}e`) ||
      known.has(`${stem}o`) ||
      known.has(`${stem}a`) ||
      known.has(`${stem}ar`))
  );
}

/** Share of a word's letters that lie in runs of that length along the keyboard, either way. */
function keyboardShare(word: string, shortestRun: number): number {
  let covered = 0;
  let at = 0;
  while (at < word.length) {
    let length = 0;
    for (const run of keyboardRuns) {
      for (const row of [run, [...run].reverse().join('')]) {
        let end = at + 1;
        while (end < word.length && row.includes(word.slice(at, end + 1))) end += 1;
        length = Math.max(length, end - at);
      }
    }
    if (length >= shortestRun) covered += length;
    at += length >= shortestRun ? length : 1;
  }
  return covered / word.length;
}

/** "asdasdasd", "jkjkjkjk", "aaaaaa": one short piece three times and nothing else. */
function isRepeatedPiece(word: string): boolean {
  return word.length >= 5 && /^(.{1,4}?)\1{2,}.{0,3}$/.test(word);
}

function isMashed(word: string): boolean {
  if (word.length < SHORTEST_JUDGED_WORD) return false;
  if (keyboardShare(word, LONG_KEYBOARD_RUN_LETTERS) >= 0.6) return true;
  if (word.length >= 5 && keyboardShare(word, SHORT_KEYBOARD_RUN_LETTERS) === 1) return true;
  if (isRepeatedPiece(word)) return true;
  // Without a vowel: an acronym or a text-message word when short, mash when long.
  if (!/[aeiouy]/.test(word)) return word.length >= 4;
  if (/[^aeiouy]{6}/.test(word)) return true;
  return word.length >= 4 && meanLog2(word) < MASHED_LOG2_PER_LETTER;
}

/** Whether less than half of the letters are ours. */
function isOfAnotherScript(folded: string): boolean {
  const letters = folded.match(/\p{L}/gu)?.length ?? 0;
  const latin = folded.match(/[a-z]/g)?.length ?? 0;
  return latin < letters / 2;
}

/**
 * Whether a description is typed nonsense. Letters of other scripts cannot be judged and pass; a text
 * without any letter is gibberish. Time is linear in the text for words of ordinary length; of longer
 * words only the first 60 letters are looked at.
 */
export function isGibberish(text: string): boolean {
  const folded = fold(text);
  if (!/\p{L}/u.test(folded)) return folded.trim() !== '';
  if (!isAscii(folded) && isOfAnotherScript(folded)) return false;

  const words = (folded.replace(/['’‘`´]/g, '').match(/[a-z]+/g) ?? []).map((word) =>
    word.slice(0, 60),
  );
  let knownWords = 0;
  let judgedWords = 0;
  let allLetters = 0;
  let mashedLetters = 0;
  for (const word of words) {
    // A single letter is known to every keyboard.
    if (word.length > 1) judgedWords += 1;
    allLetters += word.length;
    if (word.length > 1 && isKnown(word)) knownWords += 1;
    else if (isMashed(word)) mashedLetters += word.length;
  }
  if (judgedWords === 0) return allLetters >= 4;
  if (knownWords / judgedWords >= KNOWN_SHARE_THAT_CLEARS) return false;
  // One unknown word over and over: "blah blah blah blah".
  if (words.length >= 4 && new Set(words).size === 1) return true;
  return mashedLetters / allLetters >= MASHED_SHARE_THAT_CONDEMNS;
}
