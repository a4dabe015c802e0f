import type { Answers } from '../../src/model/fields/answers.ts';
import { type Flow, stepOf } from '../../src/model/flows/engine/flow.ts';
import type { FlowPath } from '../../src/model/flows/test-support/paths.ts';
import { STILL_SEND } from '../../src/model/visit/form-values.ts';
import { PlainBrowser } from './plain-browser.ts';

/** Returns the values that a visitor enters at a step without JavaScript. */
export function givenAt(flow: Flow, step: string, own: Answers): Readonly<Record<string, string>> {
  const found = new Set<string>(stepOf(flow, step).finds ?? []);
  return Object.fromEntries(Object.entries(own).filter(([field]) => !found.has(field)));
}

async function answerByForm(browser: PlainBrowser, flow: Flow, own: Answers): Promise<void> {
  const { step = '' } = browser;
  const isToldEarly = browser
    .all('button')
    .some(({ attributes }) => attributes.name === STILL_SEND);
  if (isToldEarly) await browser.press([STILL_SEND, 'yes']);
  const given = Object.entries(givenAt(flow, step, own));
  const { kind } = stepOf(flow, step);
  if (kind === 'choice') {
    await browser.press(given[0]);
    return;
  }
  const has = (tag: string, field: string) =>
    browser.all(tag).some(({ attributes }) => attributes.name === field);
  const typed = () =>
    Object.fromEntries(
      given.filter(([field]) => ['input', 'select', 'textarea'].some((tag) => has(tag, field))),
    );
  for (const [field, value] of given) {
    if (has('button', field)) await browser.press([field, value], typed());
  }
  await browser.press(undefined, typed());
}

/** Answers every step of a path without scripts. */
export async function walkByForms(browser: PlainBrowser, flow: Flow, way: FlowPath): Promise<void> {
  for (const step of way.steps) {
    if (browser.step !== step) {
      const said = browser.text('h1') ?? browser.html.slice(0, 200);
      throw new Error(`${step} did not come, but ${browser.step}: ${said} (${browser.url})`);
    }
    await answerByForm(browser, flow, way.answers[step] ?? {});
  }
}

/** The contact fields of a visitor. */
export const person = {
  first_name: 'Maria',
  last_name: 'Sandoval',
  email: 'maria@mail.example',
  phone: '(212) 555-0123',
  zip_code: '10001',
};

/** Returns a browser at a step of the short form (/survey-sl). */
export async function shortFormAt(origin: string, step: string): Promise<PlainBrowser> {
  const { phone: _, zip_code: __, ...nameAndEmail } = person;
  const browser = new PlainBrowser();
  await browser.get(`${origin}/survey-sl?s1=abc`);
  const todo: [string, () => Promise<unknown>][] = [
    ['StartPath', () => browser.press(['accident_type', 'Car Accident'])],
    [
      'WhenWasTheAccident',
      () => browser.press(undefined, { injury_month: '05', injury_year: '2026' }),
    ],
    ['AtFault', () => browser.press(['at_Fault', 'no'])],
    ['WasUserInjured', () => browser.press(['physical_injury', 'Yes'])],
    ['NameAndEmail', () => browser.press(undefined, nameAndEmail)],
  ];
  for (const [name, answer] of todo) {
    if (browser.step === step) break;
    if (browser.step !== name) throw new Error(`${name} did not come, but ${browser.step}`);
    await answer();
  }
  if (browser.step !== step) throw new Error(`${step} did not come, but ${browser.step}`);
  return browser;
}
