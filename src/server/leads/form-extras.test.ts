import { expect, it } from 'vitest';
import type { FormVisit } from '../../journey/form-visit.ts';
import { isCertificate, withMore } from './form-extras.ts';

const empty = { more: {}, visit: {} } as unknown as FormVisit;
/** Names that every object has without being told. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

it('keeps fields that are named as properties of every object, and takes none for a certificate', () => {
  expect(inherited).toEqual(expect.arrayContaining(['constructor', '__proto__', 'toString']));
  const { more, visit } = withMore(
    empty,
    inherited.map((name) => [name, 'x'] as const),
  );
  expect(Object.entries(more)).toEqual(inherited.map((name) => [name, 'x']));
  expect(visit.collected).toEqual({});
  expect(inherited.filter(isCertificate)).toEqual([]);
});

it('counts them to the fifty that are kept', () => {
  const names = Array.from({ length: 50 }, (_, at) => `field_${at}`);
  const fields = [...names, ...inherited, 'field_0'].map((name) => [name, 'y'] as const);
  expect(Object.keys(withMore(empty, fields).more)).toEqual(names);
});

it('takes the certificates of third parties’ scripts', () => {
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
