import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/domain/answers.ts';
import { walk } from '../../src/flows/engine/walk.ts';
import { flowLoaders, type Survey, surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { testAcceptLead, testLead, testNow } from '../support/leads.ts';
import { disqualifiedWay, qualifiedWay } from '../support/ways.ts';
import {
  coreLeadFields,
  flowsWithoutLead,
  ingestFlows,
  PRIOR_OFFENCE_IDS,
  rejections,
  removedFromTicket,
  SPECIAL_STATE_IDS,
  surveyTable,
} from './tables.ts';

const today = {
  year: testNow.getUTCFullYear(),
  month: testNow.getUTCMonth() + 1,
  day: testNow.getUTCDate(),
};

const rows = surveyTable
  .filter((row) => !flowsWithoutLead.includes(row.flow))
  .flatMap((row) => {
    const survey = surveyAt(row.path);
    return survey ? [{ ...row, survey }] : [];
  });

function contextOf(survey: Survey) {
  return { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: ['AL', 'NE'] } };
}

/** What a visitor's page posts: the click, the consent, the survey's ids, and the answers of the way. */
function bodyOf(survey: Survey, answers: Answers): Record<string, unknown> {
  const { lead_id, tcpa, consent_version, consent_shown_at, submitted_at } = testLead();
  return {
    ...answers,
    lead_id,
    tcpa,
    consent_version,
    consent_shown_at,
    submitted_at,
    survey: survey.path,
    language: survey.language,
    oid: String(survey.offerId),
    affid: String(survey.affiliateId),
    sub_id: 'abc',
    ef_transaction_id: '0123456789abcdef0123456789abcdef',
    landing_page: `https://claims.example.com${survey.path}`,
  };
}

describe('the lead that a survey posts', () => {
  test.each(rows)('$path: qualified', async ({ survey, ...row }) => {
    const flow = await flowLoaders[survey.flow]();
    const context = contextOf(survey);
    const way = walk(flow, qualifiedWay(flow, context).answers, context);
    const { post, lead } = testAcceptLead();
    expect(await post(bodyOf(survey, way.answers))).toMatchObject({ qualified: 'yes' });
    const { fields, problems, deliveries } = lead();
    expect(problems).toEqual([]);
    const removed = row.flow === 'ticket' ? removedFromTicket : [];
    const missing = coreLeadFields.filter((name) => !Object.hasOwn(fields, name));
    expect(missing.filter((name) => !removed.includes(name))).toEqual([]);
    expect(fields).toMatchObject({
      oid: String(row.offerId),
      affid: String(row.affiliateId),
      language: row.language,
      sub_id: 'abc',
      lp_subid1: 'abc',
      dq_reason: '',
      do_not_send_to_dq: 'yes',
      phone: way.answers.phone,
      email: way.answers.email,
      first_name: way.answers.first_name,
      last_name: way.answers.last_name,
      zip_code: way.answers.zip_code,
    });
    for (const name of ['accident_type', 'at_Fault', 'physical_injury', 'with_Lawyer'] as const) {
      if (way.answers[name] !== undefined) expect(fields[name]).toBe(way.answers[name]);
    }
    if (['ep', 'vw3'].includes(row.flow)) expect(fields.accident_type).toBe('Car Accident');
    if (way.answers.injury_month !== undefined) {
      const { injury_year, injury_month } = way.answers;
      expect(fields.incident_date).toBe(`${injury_year}-${injury_month}-01`);
    }
    if (ingestFlows.includes(row.flow)) {
      expect(deliveries.map((delivery) => delivery.destination)).toContain('ingest');
    }
  });

  test.each(rows)('$path: disqualified', async ({ survey, ...row }) => {
    const flow = await flowLoaders[survey.flow]();
    const context = contextOf(survey);
    const found = disqualifiedWay(flow, context);
    if (!found) throw new Error(`${row.path} asks nothing that disqualifies`);
    const way = walk(flow, found.way.answers, context);
    const { post, lead } = testAcceptLead({ rules: { specialStates: ['NY'] } });
    const [[field, value] = ['', '']] = Object.entries(found.decisive);
    const reason = rejections.find(([name]) => name === field)?.[2];
    const answer = await post(bodyOf(survey, way.answers));
    expect(answer).toMatchObject({ qualified: 'no', dq_reason: reason });
    const { fields } = lead();
    expect(fields[field]).toBe(value);
    expect(fields.lead_is_qualified).toBe('no');
    if (row.flow === 'ep') {
      // D2 9: do_not_send_to_dq is yes in one variant, so the special handling leaves it alone.
      expect(fields).toMatchObject({ do_not_send_to_dq: 'yes', oid: String(row.offerId) });
    } else {
      expect(fields).toMatchObject({ do_not_send_to_dq: 'no', ...SPECIAL_STATE_IDS });
    }
  });
});

describe('the qualification rule', () => {
  const decisive: Readonly<Record<string, Record<string, string>>> = {
    with_Lawyer: { with_Lawyer: 'yes' },
    accident_limit_exceeded: { injury_year: '2023', injury_month: '10' },
    is_gibberish: { case_description: 'xkcdq wrtplm zzvbn qqwrt plkmn bvcxz sdfgh jklqw' },
    enough_words: { case_description: 'Rear-ended-by-a-truck yesterday' },
    physical_injury: { physical_injury: 'No' },
    at_Fault: { at_Fault: 'yes' },
    doctor_treatment: { doctor_treatment: 'no' },
  };
  // No injury leaves the question of treatment out of the way, and with it its answer.
  const cases = rejections.map(([field, value, reason]) => ({ field, value, reason }));

  test.each(cases)('$field $value: $reason', async ({ field, value, reason }) => {
    const { post, lead } = testAcceptLead();
    const answer = await post(testLead({ hit_and_run: undefined, ...decisive[field] }));
    expect(answer).toMatchObject({ qualified: 'no', dq_reason: reason });
    expect(lead().fields[field]?.toLowerCase()).toBe(value);
  });

  test('of several reasons the first in the order of the documents', async () => {
    const given: Record<string, string> = {};
    for (const { field, reason } of cases.toReversed()) {
      Object.assign(given, decisive[field]);
      if (field === 'enough_words' || field === 'is_gibberish') continue;
      const { post } = testAcceptLead({ rules: { partialFaultStates: [] } });
      expect(await post(testLead(given)), JSON.stringify(given)).toMatchObject({
        dq_reason: reason,
      });
    }
  });
});

describe('what some flows change at submit', () => {
  const dui = rows.find((row) => row.flow === 'dui');
  const ticket = rows.find((row) => row.flow === 'ticket');
  const tiktok = rows.filter((row) => row.flow === 'tiktok');

  test.runIf(dui)('a prior alcohol offence: its own ids, and those it replaces', async () => {
    if (!dui) throw new Error('no DUI survey');
    const answers = {
      accident_type: 'Car Accident',
      first_name: 'Maria',
      last_name: 'Sandoval',
      email: 'maria@mail.example',
      current_compensation: '20000',
      injury_month: '05',
      injury_year: '2026',
      at_Fault: 'yes',
      pending_dui_charges: 'yes',
      type_of_alcohol_test_performed: 'refused_test',
      bac_level: 'dont_know',
      prior_alcohol_related_offense: 'yes',
      case_description: 'I hit another car at a red light and the police came.',
      phone: '2125550123',
      zip_code: '10001',
    };
    const { post, lead } = testAcceptLead();
    await post({ ...bodyOf(dui.survey, answers), affid: '7' });
    expect(lead().fields).toMatchObject({
      ...PRIOR_OFFENCE_IDS,
      original_oid: String(dui.offerId),
      original_affid: '7',
      do_not_send_to_dq: 'yes',
      bac_level: 'dont_know',
    });
  });

  test.runIf(ticket)('a ticket loses three fields on its way to the ingest service', async () => {
    if (!ticket) throw new Error('no ticket survey');
    const flow = await flowLoaders[ticket.survey.flow]();
    const context = contextOf(ticket.survey);
    const way = walk(flow, qualifiedWay(flow, context).answers, context);
    const { post, lead } = testAcceptLead();
    await post(bodyOf(ticket.survey, way.answers));
    for (const name of removedFromTicket) expect(lead().fields).not.toHaveProperty(name);
  });

  test.runIf(tiktok.length)('TikTok: affiliate 252 unless the click says otherwise', async () => {
    for (const { survey } of tiktok) {
      const { post, lead } = testAcceptLead();
      const { affid: _, ...body } = bodyOf(survey, {});
      await post(body);
      expect(lead().fields.affid).toBe('252');
    }
  });
});
