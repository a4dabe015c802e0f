import { expect, it, vi } from 'vitest';
import {
  hashOfSecret,
  strangersSecret,
  testAcceptLead,
  testLead,
} from '../../../tests/support/leads.ts';
import { askedKey, type ServiceAnswers } from '../../intake/service-answers.ts';

const text = String(testLead().case_description);
const asked = askedKey('gibberish', text);
const place = {
  zip: '10001',
  city: 'Sandbox',
  state: 'CA',
  state_long: 'California',
  county: 'Any',
};
const answers: ServiceAnswers = { gibberish: { [asked]: 'yes' }, places: { 10001: place } };

it('the rules use recalled service answers, which are stored with the revision', async () => {
  const { post, lead } = testAcceptLead({ recallAnswers: async () => answers });
  expect(await post(testLead())).toMatchObject({ dq_reason: 'is_gibberish|yes' });
  expect(lead()).toMatchObject({
    given: answers,
    fields: { is_gibberish: 'yes', city: 'Sandbox' },
  });
});

it('an answer about another text or zip code is ignored', async () => {
  const { post, lead } = testAcceptLead({ recallAnswers: async () => answers });
  await post(testLead({ case_description: `${text} And my back.`, zip_code: '10002' }));
  expect(lead().fields).toMatchObject({ is_gibberish: 'no', city: 'New York' });
});

it('a later revision uses the service answers of an earlier one', async () => {
  const recallAnswers = vi.fn(async (): Promise<ServiceAnswers | null> => answers);
  const { post, lead } = testAcceptLead({ recallAnswers });
  await post(testLead());
  recallAnswers.mockResolvedValue(null);
  await post({ lead_id: testLead().lead_id, survey: '/survey/v4nv', address: '1 Main Street' });
  expect(lead()).toMatchObject({ revision: 2, given: answers, fields: { is_gibberish: 'yes' } });
});

it('each new revision is verified after its commit, but no repeated or disputed post', async () => {
  const verified: number[] = [];
  const prepareVerification =
    ({ revision }: { revision: number }) =>
    () =>
      void verified.push(revision);
  const { post } = testAcceptLead({ prepareVerification });
  await post(testLead());
  await post(testLead());
  await post(testLead({ address: '1 Main Street' }));
  await post(testLead({ address: '2 Main Street' }), {
    secretSha256: hashOfSecret(strangersSecret),
  });
  expect(verified).toEqual([1, 2]);
});

it('a lead is verified unless it has the opt-out signal', async () => {
  const prepareVerification = vi.fn(() => undefined);
  const { post } = testAcceptLead({ prepareVerification });
  await post(testLead(), { secGpc: true });
  expect(prepareVerification).not.toHaveBeenCalled();
  const another = testLead({ lead_id: '01939999-1111-7111-8111-222222222222' });
  await post(another);
  expect(prepareVerification).toHaveBeenCalledOnce();
});
