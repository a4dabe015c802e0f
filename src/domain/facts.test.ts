import { describe, expect, it } from 'vitest';
import type { Answers } from './answers.ts';
import { askedFields } from './asked-fields.ts';
import { addDays, formatIso } from './dates.ts';
import { type ConditionName, conditions, type Facts } from './facts.ts';
import { severeInjuries } from './injuries.ts';

const today = { year: 2025, month: 6, day: 15 };

const daysAgo = (days: number): Answers => {
  const [injury_year, injury_month, injury_day] = formatIso(addDays(today, -days)).split('-');
  return { injury_year: injury_year!, injury_month: injury_month!, injury_day: injury_day! };
};

const facts = (answers: Answers, survey: Partial<Facts['survey']> = {}): Facts => ({
  answers,
  today,
  survey: {
    combinedLastStep: false,
    skipsLawyerFunding: false,
    confirmsLawyer: true,
    startsWithCaseWorth: false,
    ...survey,
  },
  settings: { dateOfBirthStates: ['AL', 'NE'] },
});
const holds = (name: ConditionName, answers: Answers, survey?: Partial<Facts['survey']>) =>
  conditions[name].test(facts(answers, survey));

describe('conditions', () => {
  it('asksDateOfBirth uses the zip code’s state, else the visit’s initial state', () => {
    const asks = (answers: Answers, state?: string) =>
      conditions.asksDateOfBirth.test({ ...facts(answers), state });
    expect(asks({}, 'AL')).toBe(true);
    expect(asks({}, 'TX')).toBe(false);
    expect(asks({ state: 'TX' }, 'AL')).toBe(false);
    expect(asks({ state: 'NE' }, 'TX')).toBe(true);
  });

  it('are false without answers, unless they depend on the survey only', () => {
    for (const [name, condition] of Object.entries(conditions)) {
      if (condition.reads.length > 0) expect(condition.test(facts({})), name).toBe(false);
    }
  });

  it('read only the answers that they list', () => {
    for (const [name, condition] of Object.entries(conditions)) {
      const touched = new Set<string>();
      const answers = new Proxy(
        {
          ...daysAgo(3),
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

  it('depend on the survey’s configuration', () => {
    expect(holds('startsWithCaseWorth', {}, { startsWithCaseWorth: true })).toBe(true);
    expect(holds('confirmsLawyer', {}, { confirmsLawyer: false })).toBe(false);
    expect(holds('skipsLawyerFunding', {}, { skipsLawyerFunding: true })).toBe(true);
    expect(holds('hasCombinedLastStep', {}, { combinedLastStep: true })).toBe(true);
  });

  it.each(severeInjuries)('%s with fault is severe up to 12 months', (specific_injury) => {
    const answers = { at_Fault: 'yes', physical_injury: 'Yes', specific_injury };
    const month = (injury_year: string, injury_month: string, injury_day: string) => ({
      ...answers,
      injury_year,
      injury_month,
      injury_day,
    });
    expect(holds('isSeverelyInjuredAndAtFault', month('2024', '06', '15'))).toBe(true);
    expect(holds('isSeverelyInjuredAndAtFault', month('2024', '05', '16'))).toBe(true);
    expect(holds('isSeverelyInjuredAndAtFault', month('2024', '05', '15'))).toBe(false);
    expect(
      holds('isSeverelyInjuredAndAtFault', { ...month('2025', '06', '01'), at_Fault: 'no' }),
    ).toBe(false);
    expect(
      holds('isSeverelyInjuredAndAtFault', { ...month('2025', '06', '01'), physical_injury: 'No' }),
    ).toBe(false);
    expect(holds('isSeverelyInjuredAndAtFault', answers)).toBe(false);
  });

  it('other injuries are not severe', () => {
    for (const specific_injury of ['Cuts or Bruises', 'Other']) {
      expect(
        holds('isSeverelyInjuredAndAtFault', { ...daysAgo(3), at_Fault: 'yes', specific_injury }),
      ).toBe(false);
    }
  });

  it('isUntreatedWithinFollowUp holds up to 14 days', () => {
    expect(holds('isUntreatedWithinFollowUp', { ...daysAgo(14), doctor_treatment: 'no' })).toBe(
      true,
    );
    expect(holds('isUntreatedWithinFollowUp', { ...daysAgo(15), doctor_treatment: 'no' })).toBe(
      false,
    );
    expect(holds('isUntreatedWithinFollowUp', { ...daysAgo(3), doctor_treatment: 'yes' })).toBe(
      false,
    );
  });

  it('hasLawyerOnRecentAccident holds below 730 days', () => {
    expect(holds('hasLawyerOnRecentAccident', { ...daysAgo(729), with_Lawyer: 'yes' })).toBe(true);
    expect(holds('hasLawyerOnRecentAccident', { ...daysAgo(730), with_Lawyer: 'yes' })).toBe(false);
    expect(holds('hasLawyerOnRecentAccident', { ...daysAgo(3), with_Lawyer: 'no' })).toBe(false);
    expect(
      holds('hasLawyerOnRecentAccident', {
        with_Lawyer: 'yes',
        accident_date_button: 'Over 2 Years',
      }),
    ).toBe(false);
    expect(
      holds('hasLawyerOnRecentAccident', {
        with_Lawyer: 'yes',
        accident_date_button: 'Within 2 Years',
      }),
    ).toBe(true);
  });

  it.each([
    ['isAtFault', { at_Fault: 'YES' }],
    ['isInjured', { physical_injury: 'yes' }],
    ['hasActiveInsurance', { active_insurance_policy: 'yes' }],
    ['missedWork', { missed_work: 'yes' }],
    ['isInterestedInFunding', { interested_in_psf: 'yes' }],
    ['caseIsSettled', { settled_case: 'yes' }],
    ['receivedFunding', { prior_funding: 'yes' }],
    ['isHitAndRun', { hit_and_run: 'yes' }],
    ['driverWasIdentified', { hit_and_run_identified: 'yes' }],
    ['hasPendingDuiCharges', { pending_dui_charges: 'yes' }],
    ['requiredNoMedicalTreatment', { required_medical_treatment: 'no' }],
    ['tookNoAlcoholTest', { type_of_alcohol_test_performed: 'refused_test' }],
    ['asksDateOfBirth', { state: 'NE' }],
  ] as const)('%s', (name, answers) => {
    expect(holds(name, answers)).toBe(true);
    const [field, value] = Object.entries(answers)[0]!;
    const opposite = value.toLowerCase() === 'yes' ? 'no' : value === 'no' ? 'yes' : 'TX';
    expect(holds(name, { [field]: opposite })).toBe(false);
  });
});
