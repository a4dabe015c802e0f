import { describe, expect, test } from 'vitest';
import type { Variable } from '../base/variable.ts';
import { readVariables } from './read-variables.ts';
import { type VariableName, variables } from './variables.ts';

function problem(name: VariableName, value: string): string {
  const problems: string[] = [];
  const declared: Record<string, Variable<unknown>> = { [name]: variables[name] };
  readVariables(declared, { [name]: value }, problems);
  expect(problems).toHaveLength(1);
  return problems[0] ?? '';
}

describe('a value that is refused is told with what is wrong with it', () => {
  test.each<[VariableName, string, string]>([
    ['PORT', 'abc', 'PORT is "abc": expected a whole number from 0 to 65535'],
    ['PUBLIC_URL', 'ftp://x.example', 'whose scheme is "ftp:"'],
    ['PUBLIC_URL', 'https://me:pw@x.example', 'which has a user name or password in it'],
    ['PUBLIC_URL', 'https://x.example/?a=1', 'which goes on after the host with "/?a=1"'],
    ['ZIP_URL', 'zip.example/us', 'which has no "https://" before the host'],
    ['ZIP_URL', '??', 'which is no address'],
    ['PARTNER_URL', 'javascript:alert(1)', 'which is no address'],
    ['SPECIAL_STATES', 'NY,QQ', 'in which "QQ" is no code of a state'],
    ['TRUSTED_PROXIES', '10.0.0.1,proxy', 'in which "proxy" is no address and no network'],
    ['PHONE_NUMBER', '(123) 456-7890', 'whose area code begins with 1'],
    ['COMPANY_NAME', 'x'.repeat(81), 'which has 81 characters'],
    ['FALLBACK_BUYER_NAMES', 'One', 'in which the number of names is 1'],
    ['EXPERIMENTS', '{"a":', 'which is no JSON ('],
    ['SCRIPT_HOSTS', '{"pixle":{}}', 'in which "pixle" may not be "pixle"'],
    [
      'SCRIPT_HOSTS',
      '{"pixel":{"img-src":["*"]}}',
      'in which "pixel.img-src.0" is "*", which is no',
    ],
    [
      'COMPENSATION_MULTIPLIERS',
      '{"specific_injury":{"whip":1}}',
      'in which "whip" is no answer of',
    ],
    ['COMPENSATION_MULTIPLIERS', '{"nothing":{"yes":1}}', 'in which "nothing" is no field'],
  ])('%s=%s', (name, value, sentence) => {
    const text = problem(name, value);
    expect(text).toContain(sentence);
    expect(text).toContain(': expected ');
  });
});

test('a secret is told by its shape alone', () => {
  const text = problem('PHONE_CHECK_KEY', ' "hunter two" ');
  expect(text).toBe(
    'PHONE_CHECK_KEY is secret and not shown; it has 14 characters, with white space at an end and ' +
      'white space inside: expected the key of the phone validation service',
  );
});
