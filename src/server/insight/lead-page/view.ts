/** What a reader of a lead's page may see: everything once it is opened, otherwise only the allow-list. */

import { isLeadField } from '../../../model/fields/lead-fields.ts';
import type { StoryDetail } from '../../../model/messages/console/leads.ts';
import { HOLD_REASONS } from '../../../model/messages/vocabulary.ts';
import type { TimeFormatter } from '../../platform/time-format.ts';
import { CLEAR_WORDS, isClear } from './clear.ts';

/** Stands for a value that is shown once the lead is opened. It tells nothing of the value, not even its length. */
export const MASKED = '•••';

/** One reader's view of a lead. */
export type View = {
  readonly isOpened: boolean;
  readonly clock: TimeFormatter;
  readonly now: Date;
  /** The names of the steps of the lead's survey; a browser may post any other text. */
  readonly steps: ReadonlySet<string>;
  /** What a call of a paid service costs, in US dollars. */
  readonly checkPrice?: number | undefined;
};

/** Returns a value as text: JSON for objects. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** Returns a text if the reader may see it, else dots. An empty text stays empty. */
export function shown(view: View, text: string, isOpen: boolean): string {
  return view.isOpened || isOpen || text === '' ? text : MASKED;
}

/** Returns a labelled value if the reader may see it, else dots. */
export function detail(view: View, label: string, value: unknown, isOpen: boolean): StoryDetail {
  const text = textOf(value);
  return view.isOpened || isOpen || text === ''
    ? { label, value: text }
    : { label, value: MASKED, isMasked: true };
}

/** Returns a labelled value that identifies the person, or that a third party wrote. */
export function personal(view: View, label: string, value: unknown): StoryDetail {
  return detail(view, label, value, false);
}

/** Returns a labelled value of our own. */
export function open(label: string, value: string | number): StoryDetail {
  return { label, value: String(value) };
}

/** Returns the name of a field. A browser may post any name, so an unknown one is masked. */
export function fieldName(view: View, name: unknown): string {
  const text = textOf(name);
  return view.isOpened || isLeadField(text) ? text : 'another field';
}

/** Returns a lead's field with its value. */
export function field(view: View, name: string, value: unknown): StoryDetail {
  return detail(view, fieldName(view, name), value, isClear(name, textOf(value)));
}

/** Returns one labelled value per field. */
export function fields(view: View, values: unknown): StoryDetail[] {
  return Object.entries(Object(values)).map(([name, value]) => field(view, name, value));
}

/** Returns one of the fixed words that the code stores, else dots. */
export function word(view: View, value: unknown): string {
  const text = textOf(value);
  return shown(view, text, CLEAR_WORDS.has(text) || Object.hasOwn(HOLD_REASONS, text));
}

/** Returns the name of a step of the lead's survey. */
export function stepName(view: View, step: string): string {
  return view.isOpened || view.steps.has(step) ? step : 'a step that the survey no longer has';
}

/** SHA-256 in hexadecimal or base64url. */
const VERSION = /^([0-9a-f]{64}|[\w-]{43})$/;

/** Returns the version of our own rules or flow. Hashes of values are `personal`: a short value can be found by trying. */
export function version(view: View, label: string, value: string): StoryDetail {
  return detail(view, label, value, VERSION.test(value));
}
