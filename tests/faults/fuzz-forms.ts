/** Posts of the pages' own forms, as a browser without scripts sends them, and malformed ones. */
import { contactFields } from '../../src/domain/contact-form.ts';
import { optOutFields } from '../../src/domain/opt-out-form.ts';
import { surveys } from '../../src/flows/surveys.ts';
import type { Draft } from './fuzz-bytes.ts';
import { type Choices, hostileText, inheritedNames } from './fuzz-values.ts';

/** The form routes: every survey accepts its first form and its visits' later forms. */
export const formRoutes = ['(first form)', '(continued form)', '(contact)', '(opt-out)'] as const;

const answers: readonly (readonly [string, string])[] = [
  ['accident_type', 'Car Accident'],
  ['injury_month', '05'],
  ['injury_year', '2026'],
  ['at_Fault', 'no'],
  ['physical_injury', 'Yes'],
  ['first_name', 'Maria'],
  ['last_name', 'Sandoval'],
  ['email', 'maria@mail.example'],
  ['phone', '(212) 555-0123'],
  ['zip_code', '10001'],
  ['case_description', 'A truck hit my car from behind at a red light.'],
];

/** Returns a function that makes one post of a form. */
export function formMaker(any: Choices): () => Draft {
  const { of, chance, random, uuid, hex } = any;

  function fieldsOf(step: string): [string, string][] {
    const fields: [string, string][] = [['step', step]];
    for (const [name, value] of answers) {
      if (chance(0.5)) fields.push([name, chance(0.8) ? value : hostileText(any)]);
    }
    return fields;
  }

  function firstForm(): [route: (typeof formRoutes)[number], path: string, [string, string][]] {
    const { path } = of(surveys);
    const step = of(['StartPath', 'StartPath', 'OnePageForm', 'FormFirstQuestions']);
    return ['(first form)', path, fieldsOf(step)];
  }

  function continuedForm(): ReturnType<typeof firstForm> {
    const { path } = of(surveys);
    const step = of(['WhenWasTheAccident', 'AtFault', 'NameAndEmail', 'PhoneAndZip']);
    return ['(continued form)', `${path}/continue`, fieldsOf(step)];
  }

  function contact(): ReturnType<typeof firstForm> {
    const values = [
      'Car Accident',
      'Maria',
      'Sandoval',
      'm@mail.example',
      '2125550123',
      'Call me.',
    ];
    const fields = contactFields.map((name, at): [string, string] => [name, values[at] ?? '']);
    return ['(contact)', of(['/contact/', '/es/contact/']), fields];
  }

  function optOut(): ReturnType<typeof firstForm> {
    const values = ['Maria', 'm@mail.example', '2125550123', 'NY'];
    const fields = optOutFields.map((name, at): [string, string] => [name, values[at] ?? '']);
    const path = '/do-not-sell-my-information/';
    return ['(opt-out)', of([path, `/es${path}`]), fields];
  }

  /** Changes a few arbitrary fields: other values, other names, duplicates. */
  function bend(fields: [string, string][]): void {
    for (let change = random.integer(1, 5); change > 0; change -= 1) {
      const at = random.integer(0, fields.length);
      const name = chance(0.6) ? of(inheritedNames) : hostileText(any);
      const [known = name, value = ''] = fields[at] ?? [];
      const bent: [string, string] = of([
        [known, hostileText(any)],
        [known, of(inheritedNames)],
        [name, value],
        [known, value],
      ]);
      fields.splice(at, chance(0.5) ? 1 : 0, bent);
    }
    if (chance(0.02)) for (let at = 0; at < 300; at += 1) fields.push([`field_${at}`, 'x']);
  }

  return () => {
    const kind = random.next();
    const make =
      kind < 0.5 ? firstForm : kind < 0.75 ? continuedForm : kind < 0.9 ? contact : optOut;
    const [route, path, fields] = make();
    const isBent = chance(0.5);
    if (isBent) bend(fields);
    // A correction carries the lead id from the returned page, so the test knows the id in advance.
    const formLead = route === '(contact)' && !isBent ? uuid() : undefined;
    if (formLead) fields.push(['lead_id', formLead], ['lead_secret', hex(32)]);
    const pairs = fields.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]);
    const query = chance(0.3) ? `?s1=abc&${of(inheritedNames)}=x` : '';
    return {
      route,
      method: 'POST',
      target: path + query,
      headers: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'text/html'],
        ...(chance(0.5) ? [['sec-fetch-site', 'same-origin'] as [string, string]] : []),
      ],
      ...(formLead && { formLead }),
      body: Buffer.from(
        formLead || chance(0.97) ? new URLSearchParams(pairs).toString() : hostileText(any),
      ),
    };
  };
}
