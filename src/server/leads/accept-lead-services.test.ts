import { expect, it } from 'vitest';
import {
  hashOfSecret,
  strangersSecret,
  testAcceptLead,
  testLead,
} from '../../../tests/support/leads.ts';
import { askedKey, type ServiceAnswers } from '../../model/lead/context.ts';

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

it('an answer about another text or zip code is ignored', async () => {
  const { post, lead } = testAcceptLead({ recallAnswers: async () => answers });
  await post(testLead({ case_description: `${text} And my back.`, zip_code: '10002' }));
  expect(lead().fields).toMatchObject({ is_gibberish: 'no', city: 'New York' });
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
