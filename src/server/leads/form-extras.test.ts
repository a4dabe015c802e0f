import { expect, it } from 'vitest';
import type { FormVisit } from '../../model/visit/form-visit.ts';
import { isCertificate, withMore } from './form-extras.ts';

const empty = { more: {}, visit: {} } as unknown as FormVisit;
const inherited = Object.getOwnPropertyNames(Object.prototype);

it('withMore stores a form field with the name of an inherited property, such as `__proto__`', () => {
  expect(inherited).toEqual(expect.arrayContaining(['constructor', '__proto__', 'toString']));
  const { more, visit } = withMore(
    empty,
    inherited.map((name) => [name, 'x'] as const),
  );
  expect(Object.entries(more)).toEqual(inherited.map((name) => [name, 'x']));
  expect(visit.collected).toEqual({});
  expect(inherited.filter(isCertificate)).toEqual([]);
});

it('withMore stores the ids of the TrustedForm and Jornaya consent certificates', () => {
  const fields = [
    ['xxTrustedFormCertUrl', 'https://cert.example/abc'],
    ['universal_leadid', 'L1'],
  ] as const;
  expect(withMore(empty, fields).visit.collected).toEqual({
    trustedform_cert_url: 'https://cert.example/abc',
    trusted_form_cert_id: 'abc',
    leadid_token: 'L1',
  });
});
