import { expect, it } from 'vitest';
import type { Answers } from './answers.ts';
import { askedFields } from './asked-fields.ts';
import { conditions, type Facts } from './facts.ts';

const today = { year: 2025, month: 6, day: 15 };

const facts = (answers: Answers): Facts => ({
  answers,
  today,
  survey: {
    combinedLastStep: false,
    skipsLawyerFunding: false,
    confirmsLawyer: true,
    startsWithCaseWorth: false,
  },
  settings: { dateOfBirthStates: ['AL', 'NE'] },
});

it('conditions asksDateOfBirth uses the zip code’s state, else the visit’s initial state', () => {
  const asks = (answers: Answers, state?: string) =>
    conditions.asksDateOfBirth.test({ ...facts(answers), state });
  expect(asks({}, 'AL')).toBe(true);
  expect(asks({}, 'TX')).toBe(false);
  expect(asks({ state: 'TX' }, 'AL')).toBe(false);
  expect(asks({ state: 'NE' }, 'TX')).toBe(true);
});

it('conditions read only the answers that they list', () => {
  for (const [name, condition] of Object.entries(conditions)) {
    const touched = new Set<string>();
    const answers = new Proxy(
      {
        injury_year: '2025',
        injury_month: '06',
        injury_day: '12',
        at_Fault: 'yes',
        with_Lawyer: 'yes',
        specific_injury: 'Whiplash',
        doctor_treatment: 'no',
      } as Answers,
      {
        get(target, key) {
          touched.add(String(key));
          return Reflect.get(target, key);
        },
      },
    );
    condition.test(facts(answers));
    condition.test(facts(new Proxy({}, { get: (_, key) => void touched.add(String(key)) })));
    expect(
      [...touched].filter((field) => !(condition.reads as readonly string[]).includes(field)),
      name,
    ).toEqual([]);
    for (const field of condition.reads) expect(askedFields).toHaveProperty([field]);
  }
});
