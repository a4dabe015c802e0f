import { type AskedField, askedFields } from '../../../model/fields/asked-fields.ts';
import type { StepTexts } from './texts.ts';

type YesNo = { readonly yes: string; readonly no: string };

/** Returns the words of the answers of every field that is answered with yes or no. */
export function yesOrNo(words: YesNo): Readonly<Record<string, YesNo>> {
  const fields: [string, AskedField][] = Object.entries(askedFields);
  const asked = fields.filter(([, { values = [] }]) => [...values].sort().join() === 'no,yes');
  return Object.fromEntries(asked.map(([name]) => [name, words]));
}

/** Returns the errors of a field whose only mistake is a missing choice. */
export function chosen(sentence: string) {
  return { required: sentence, invalid: sentence };
}

export function list(title: string, ...items: string[]) {
  return { title, items };
}

/** The steps that share the words of a step, in both languages. */
const copies: Readonly<Record<string, readonly string[]>> = {
  StartPath: ['ShowQuestions'],
  WhenWasTheAccident: ['SocialDropWhenWasTheAccident'],
  HowWasUserHurt: [
    'WasUserInjuredVW3',
    ...['variant-a', 'variant-b', 'variant-c', 'variant-d', 'tiktok', 'dui', 'sl', 'sl-v2'].map(
      (flow) => `${flow}/WasUserInjured`,
    ),
  ],
  PoliceReportFiled: ['PoliceReport'],
  HasLawyer: ['HasAttorney'],
  IncidentDescription: ['Description'],
  NameAndEmail: ['EmailAndName'],
  PhoneAndZip: ['AllPii', 'PhoneAbbreviatedTCPA', 'ZipAndPhone'],
  'variant-e/WereYouInAMotorVehicleAccident': ['variant-d/WereYouInAMotorVehicleAccident'],
  End: ['ThankYouStep'],
  'vw3/StartPath': ['ep/StartPath'],
};

/** Adds the words of the steps in `copies`. */
export function withCopies(steps: Readonly<Record<string, StepTexts>>): Record<string, StepTexts> {
  const copied = Object.entries(steps).flatMap(([step, words]) =>
    (copies[step] ?? []).map((copy): [string, StepTexts] => [copy, words]),
  );
  return { ...steps, ...Object.fromEntries(copied) };
}
