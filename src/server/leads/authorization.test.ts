/** Tests when a lead from Washington is held (docs/specification.md#health-authorization). */
import { describe, expect, test } from 'vitest';
import { waAuthorization, waAuthorizations } from '../../../content/consent/wa-authorizations.ts';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { authorizationText } from '../../model/rules/authorization-text.ts';

const company = 'Your Claim Guide';
const email = 'help@claims.example';
const firm = 'Smith & Sons LLP, Seattle';
const today = { year: 2026, month: 11, day: 21 };

/** Returns the fields that the page posts after the button `answer`. */
function signed(answer = 'yes', firms = [firm], day = today, name = company) {
  const parties = { company: name, email, firms };
  return {
    health_authorization: answer,
    health_authorization_text: authorizationText(waAuthorization, 'en', parties, day),
  };
}

const acceptLead = (firms = [firm]) =>
  testAcceptLead({
    rules: {
      authorization: { files: waAuthorizations, companies: [company, 'Old Name'], email, firms },
    },
  });
const seattle = { zip_code: '98101' };
const held = ['no_authorization'];
const ofForms = {
  health_authorization_text: signed().health_authorization_text.replaceAll('\n', '\r\n'),
};

describe('a lead', () => {
  test.each([
    ['from Washington with a signature is accepted', { ...seattle, ...signed() }, []],
    [
      'signed in a form without JavaScript is accepted',
      { ...seattle, ...signed(), ...ofForms },
      [],
    ],
    [
      'signed before midnight is accepted',
      { ...seattle, ...signed('yes', [firm], { ...today, day: 20 }) },
      [],
    ],
    [
      'signed under a former name is accepted',
      { ...seattle, ...signed('yes', [firm], today, 'Old Name') },
      [],
    ],
    ['from another state is accepted', {}, []],
    ['whose visitor said no is held', { ...seattle, ...signed('no') }, held],
    ['without an answer is held', seattle, held],
    [
      'with another firm in the text is held',
      { ...seattle, ...signed('yes', ['Other LLP']) },
      held,
    ],
    [
      'signed months ago is held',
      { ...seattle, ...signed('yes', [firm], { ...today, month: 8 }) },
      held,
    ],
    [
      'with an answer but without the text is held',
      { ...seattle, health_authorization: 'yes' },
      held,
    ],
    [
      'about a traffic ticket is not held for it',
      { ...seattle, survey: '/ticket', ...publishedTcpa('ticket') },
      [],
    ],
  ])('%s', async (_, changes, reasons) => {
    const { post, lead } = acceptLead();
    await post(testLead(changes));
    const holds = lead().problems.filter(({ problem }) => problem === 'held');
    expect(holds.map(({ reason }) => reason)).toEqual(reasons);
    expect(lead().state).toBe(reasons.length > 0 ? 'held' : 'accepted');
    expect(JSON.stringify(lead().fields)).not.toMatch(/health_authorization|RCW/);
  });

  test('is accepted if no firm can be named', async () => {
    const { post, lead } = acceptLead([]);
    await post(testLead(seattle));
    expect(lead()).toMatchObject({ state: 'accepted' });
  });

  test('of a visitor who chose none of the firms is held', async () => {
    const { post, lead } = acceptLead();
    const { tcpa, consent_version } = publishedTcpa('buyers', 'en', ['Partner Law Firm A']);
    const shown = { survey: '/survey/v4nv-d1', '1_to_1_consent': 'yes', tcpa, consent_version };
    await post(testLead({ ...seattle, ...shown, selected_buyers: '' }));
    expect(lead().decisions.at(-1)).toMatchObject({ result: 'missing', inputs: { firms: '' } });
    expect(lead().state).toBe('held');
    await post(testLead({ ...seattle, ...shown, zip_code: '10001', selected_buyers: '' }));
    expect(lead().state).toBe('accepted');
  });

  test('with firms to choose needs the signature for the chosen firms', async () => {
    const { post, lead } = acceptLead();
    const firms = ['Partner Law Firm A'];
    const chosen = {
      ...seattle,
      survey: '/survey/v4nv-d1',
      '1_to_1_consent': 'yes',
      selected_buyers: '1',
      ...publishedTcpa('buyers', 'en', firms),
    };
    await post(testLead({ ...chosen, ...signed() }));
    expect(lead().state).toBe('held');
    await post(testLead({ ...chosen, ...signed('yes', firms) }));
    expect(lead().state).toBe('accepted');
  });

  test('is no longer held after a later post with the signature', async () => {
    const { post, lead } = acceptLead();
    await post(testLead({ ...seattle, ...signed('no') }));
    await post(testLead({ ...seattle, ...signed() }));
    expect(lead()).toMatchObject({ revision: 2, state: 'accepted' });
  });

  test('has the decision with its inputs', async () => {
    const { post, lead } = acceptLead();
    await post(testLead({ ...seattle, ...signed('no') }));
    expect(lead().decisions.at(-1)).toMatchObject({
      rule: 'health_authorization',
      inputs: { state: 'WA', version: waAuthorization.version, firms: firm, answer: 'no' },
      result: 'no',
    });
  });
});
