import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeContactDetails } from './contact-parameters.ts';

const page = 'https://site.example/survey/v4nv';

test('takeContactDetails ignores the case and the separators of parameter names', () => {
  const { details } = takeContactDetails(
    `${page}?firstName=Ann&LAST_NAME=Lee&email=a%40b.example&phone-number=%2B1+212&zipCode=10001`,
  );
  expect(details).toEqual({
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'a@b.example',
    phone: '+1 212',
    zip_code: '10001',
  });
});

test('takeContactDetails leaves parameters without personal data in the URL unchanged', () => {
  const rest = 's1=a%20b&sub2=%%ADID%%&x={y}&empty=&flag';
  const { href } = takeContactDetails(`${page}?email=a@b.example&${rest}&phone=1&city=Rome#top`);
  expect(href).toBe(`${page}?${rest}#top`);
  expect(takeContactDetails(`${page}?email=a`).href).toBe(page);
});

test('takeContactDetails returns the first value that is neither empty nor a placeholder', () => {
  const { details } = takeContactDetails(
    `${page}?email={email}&email=a@b.example&email=c@d.example&first_name=`,
  );
  expect(details).toEqual({ email: 'a@b.example' });
});

test('takeContactDetails removes personal parameters that prefill no field', () => {
  const { href, details } = takeContactDetails(`${page}?name=Ann+Lee&dob=1990&state=NY&s1=a`);
  expect(href).toBe(`${page}?s1=a`);
  expect(details).toEqual({ state: 'NY' });
});

test('takeContactDetails removes every personal value from a URL', () => {
  const name = fc.constantFrom('email', 'Phone', 'first_name', 'zip', 'full-name', 'e%6Dail');
  const other = fc.tuple(fc.constantFrom('s1', 'sub2', 'gclid'), fc.string());
  fc.assert(
    fc.property(name, fc.array(other), fc.array(other), (personal, before, after) => {
      const query = (pairs: [string, string][]) =>
        pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
      const pairs = [...query(before), `${personal}=CANARY`, ...query(after)];
      const { href } = takeContactDetails(`${page}?${pairs.join('&')}`);
      const clean = new URL(href).searchParams;
      expect(href).not.toContain('CANARY');
      expect([...clean].length).toBe(before.length + after.length);
    }),
  );
});
