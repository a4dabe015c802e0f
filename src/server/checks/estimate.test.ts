import { expect, it, vi } from 'vitest';
import { compensationMultipliers } from '../../model/rules/compensation.ts';
import { createEstimate } from './estimate.ts';

const severe = {
  physical_injury: 'Yes',
  specific_injury: 'Head Injury',
  doctor_treatment: 'yes',
  at_Fault: 'no',
};
const own = createEstimate({ multipliers: compensationMultipliers });

it('the compensation level is our own estimate if no service is configured', async () => {
  expect(await own({})).toEqual({ compLevel: 1 });
  expect(await own(severe)).toEqual({ compLevel: 5 });
  expect(await own({ ...severe, current_compensation: '250000' })).toEqual({ compLevel: 7 });
});

it('our own estimate ignores unknown and invalid answers', async () => {
  const odd = { specific_injury: 'toString', at_Fault: ['no'], constructor: 'no', __proto__: 'x' };
  expect(await own(odd)).toEqual({ compLevel: 1 });
  expect(await own({ current_compensation: '-1' })).toEqual({ compLevel: 1 });
  expect(await own({ current_compensation: 'Infinity' })).toEqual({ compLevel: 1 });
});

it('the estimate service receives no personal data', async () => {
  const ask = vi.fn(async () => 6);
  const estimate = createEstimate({ multipliers: {}, ask });
  const person = {
    first_name: 'Maria',
    email: 'maria@mail.example',
    phone: '2125550123',
    zip_code: '10001',
    case_description: 'I was hit by a truck at a red light',
    law_firm_phone: '2125550199',
    typeOfAccident: 'Car Accident',
  };
  expect(await estimate({ ...severe, ...person })).toEqual({ compLevel: 6 });
  expect(ask).toHaveBeenCalledExactlyOnceWith(severe);
});
