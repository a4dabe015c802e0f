import { isAscii, withoutAccents } from '../fields/text.ts';
import lists from './gibberish-words.json' with { type: 'json' };

/** A text with at least this share of common words is never gibberish. */
const KNOWN_SHARE_THAT_CLEARS = 0.25;
/** A text with at least this share of letters in random words is gibberish. */
const RANDOM_SHARE_THAT_CONDEMNS = 0.6;
/** An unknown word is random if the average probability of the letters is below this. */
const RANDOM_LOG2_PER_LETTER = -5.6;
const SHORTEST_JUDGED_WORD = 3;
/** Weights of the letter model for sequences of three, two and one letters. */
const TRIGRAM_WEIGHT = 0.6;
const BIGRAM_WEIGHT = 0.28;
const UNIGRAM_WEIGHT = 0.1;
const ALPHABET_SIZE = 27;

const keyboardSequences = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  'abcdefghijklmnopqrstuvwxyz',
];
/** A keyboard sequence of this length is rarely accidental. */
const SEQUENCE_LETTERS = 4;
/** Real words rarely consist only of key sequences of this length, as "qweasd" does. */
const SHORT_SEQUENCE_LETTERS = 3;

const wordsOf = (lines: readonly string[]) => lines.join(' ').split(' ');
const commonWords = new Set([...wordsOf(lists.english), ...wordsOf(lists.spanish)]);
/** Common words, and unusual words such as words without vowels. */
const known = new Set([...commonWords, ...wordsOf(lists.odd)]);

/** Counts all sequences of up to three letters. */
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

const counts = countSequences(commonWords);

/** Returns the mean logarithm of the probabilities of a word's letters. */
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

/** The endings of words that `isKnown` removes, because the word lists have no inflected forms. */
const endings =
  /(?:s|es|ed|ing|ly|er|ers|mente|ito|ita|itos|itas|ando|iendo|aron|ieron|ado|ada|ados|adas)$/;

function isKnown(word: string): boolean {
  if (known.has(word)) return true;
  const stem = word.replace(endings, '');
  return (
    stem.length >= 3 &&
    stem !== word &&
    ['', 'e', 'o', 'a', 'ar'].some((ending) => known.has(stem + ending))
  );
}

/** Returns the share of a word's letters in keyboard sequences such as "asdf". */
function keyboardShare(word: string, shortest: number): number {
  let covered = 0;
  let at = 0;
  while (at < word.length) {
    let length = 0;
    for (const sequence of keyboardSequences) {
      for (const row of [sequence, [...sequence].reverse().join('')]) {
        let end = at + 1;
        while (end < word.length && row.includes(word.slice(at, end + 1))) end += 1;
        length = Math.max(length, end - at);
      }
    }
    if (length >= shortest) covered += length;
    at += length >= shortest ? length : 1;
  }
  return covered / word.length;
}

/** Returns whether a word repeats a few letters, as in "asdasdasd". */
function isRepetition(word: string): boolean {
  return word.length >= 5 && /^(.{1,4}?)\1{2,}.{0,3}$/.test(word);
}

function isRandom(word: string): boolean {
  if (word.length < SHORTEST_JUDGED_WORD) return false;
  if (keyboardShare(word, SEQUENCE_LETTERS) >= 0.6) return true;
  if (word.length >= 5 && keyboardShare(word, SHORT_SEQUENCE_LETTERS) === 1) return true;
  if (isRepetition(word)) return true;
  // A word of up to three letters without a vowel may be an abbreviation.
  if (!/[aeiouy]/.test(word)) return word.length >= 4;
  if (/[^aeiouy]{6}/.test(word)) return true;
  return word.length >= 4 && meanLog2(word) < RANDOM_LOG2_PER_LETTER;
}

function isOfAnotherScript(folded: string): boolean {
  const letters = folded.match(/\p{L}/gu)?.length ?? 0;
  const latin = folded.match(/[a-z]/g)?.length ?? 0;
  return latin < letters / 2;
}

/** Returns whether a description is random typing (docs/specification.md#gibberish-check). */
export function isGibberish(text: string): boolean {
  const folded = withoutAccents(text);
  if (!/\p{L}/u.test(folded)) return folded.trim() !== '';
  if (!isAscii(folded) && isOfAnotherScript(folded)) return false;

  const words = (folded.replace(/['’‘`´]/g, '').match(/[a-z]+/g) ?? []).map((word) =>
    word.slice(0, 60),
  );
  let knownWords = 0;
  let judgedWords = 0;
  let allLetters = 0;
  let randomLetters = 0;
  for (const word of words) {
    if (word.length > 1) judgedWords += 1;
    allLetters += word.length;
    if (word.length > 1 && isKnown(word)) knownWords += 1;
    else if (isRandom(word)) randomLetters += word.length;
  }
  if (judgedWords === 0) return allLetters >= 4;
  if (knownWords / judgedWords >= KNOWN_SHARE_THAT_CLEARS) return false;
  if (words.length >= 4 && new Set(words).size === 1) return true;
  return randomLetters / allLetters >= RANDOM_SHARE_THAT_CONDEMNS;
}
