import { expect, it, vi } from 'vitest';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';

it('a lead is verified unless it has the opt-out signal', async () => {
  const prepareVerification = vi.fn(() => undefined);
  const { post } = testAcceptLead({ prepareVerification });
  await post(testLead(), { secGpc: true });
  expect(prepareVerification).not.toHaveBeenCalled();
  const another = testLead({ lead_id: '01939999-1111-7111-8111-222222222222' });
  await post(another);
  expect(prepareVerification).toHaveBeenCalledOnce();
});
