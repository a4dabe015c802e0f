import { expect, it } from 'vitest';
import { thankYouQuery } from './thank-you.ts';

const lead = {
  email: 'ann+x@example.com',
  city: 'New York',
  state: 'NY',
  zip_code: '10001',
  phone: '2125550123',
  state_long: 'New York',
  ef_transaction_id: 't1',
  affid: '252',
  sub_id: 'abc',
  dq_reason: 'is_gibberish|yes',
};

const documentOrder = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
  'ef_transaction_id',
  'affid',
  'sub_id',
  'q',
];

it('thankYouQuery has the parameters in the order of the specification', () => {
  const query = thankYouQuery(lead, { qualified: true });
  expect([...new URLSearchParams(query).keys()]).toEqual(documentOrder);
  expect(query).toBe(
    'email=ann%2Bx%40example.com&city=New+York&state=NY&zip_code=10001&phone=2125550123' +
      '&state_long=New+York&ef_transaction_id=t1&affid=252&sub_id=abc&q=y',
  );
});

it('thankYouQuery defaults affid and sub_id to 1 only if absent everywhere', () => {
  const read = (search: string, values: Record<string, string> = {}) => {
    const query = new URLSearchParams(thankYouQuery(values, { qualified: true }, search));
    return [query.getAll('affid'), query.getAll('sub_id')];
  };
  expect(read('')).toEqual([['1'], ['1']]);
  expect(read('', { affid: '', sub_id: '{sub}' })).toEqual([['1'], ['1']]);
  expect(read('', lead)).toEqual([['252'], ['abc']]);
  expect(read('?affid=9&sub_id=z', lead)).toEqual([['9'], ['z']]);
  expect(read('?affid={affid}&sub_id=', lead)).toEqual([['252'], ['abc']]);
});
