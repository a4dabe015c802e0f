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

it('cached answers about another text or zip code are not used for a lead', async () => {
  const { post, lead } = testAcceptLead({ recallAnswers: async () => answers });
  await post(testLead({ case_description: `${text} And my back.`, zip_code: '10002' }));
  expect(lead().fields).toMatchObject({ is_gibberish: 'no', city: 'New York' });
});

it('a new revision is verified; a repeated or unauthorized post is not', async () => {
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
