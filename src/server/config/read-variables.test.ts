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

describe('the message about a bad value explains what is wrong', () => {
  test.each<[VariableName, string, string]>([
    ['PORT', 'abc', 'PORT is "abc": expected a whole number from 0 to 65535'],
    ['PUBLIC_URL', 'ftp://x.example', 'whose scheme is "ftp:"'],
    ['PUBLIC_URL', 'https://me:pw@x.example', 'which has a user name or password in it'],
    ['PUBLIC_URL', 'https://x.example/?a=1', 'which has "/?a=1" after the host'],
    ['ZIP_URL', 'zip.example/us', 'which has no "https://" before the host'],
    ['ZIP_URL', '??', 'which is not a web address'],
    ['PARTNER_URL', 'javascript:alert(1)', 'which is not a web address'],
    ['SPECIAL_STATES', 'NY,QQ', 'in which "QQ" is not a state code'],
    ['TRUSTED_PROXIES', '10.0.0.1,proxy', 'in which "proxy" is not an address or network'],
    ['PHONE_NUMBER', '(123) 456-7890', 'whose area code begins with 1'],
    ['COMPANY_NAME', 'x'.repeat(81), 'which has 81 characters'],
    ['FALLBACK_BUYER_NAMES', 'One', 'in which the number of names is 1'],
    ['EXPERIMENTS', '{"a":', 'which is not JSON ('],
    ['SCRIPT_HOSTS', '{"pixle":{}}', 'in which "pixle" may not be "pixle"'],
    [
      'SCRIPT_HOSTS',
      '{"pixel":{"img-src":["*"]}}',
      'in which "pixel.img-src.0" is "*", which is not',
    ],
    [
      'COMPENSATION_MULTIPLIERS',
      '{"specific_injury":{"whip":1}}',
      'in which "whip" is not an answer of',
    ],
    ['COMPENSATION_MULTIPLIERS', '{"nothing":{"yes":1}}', 'in which "nothing" is not a field'],
  ])('%s=%s', (name, value, sentence) => {
    const text = problem(name, value);
    expect(text).toContain(sentence);
    expect(text).toContain(': expected ');
  });
});

test('the message about a bad secret does not show it', () => {
  const text = problem('PHONE_CHECK_KEY', ' "hunter two" ');
  expect(text).toBe(
    'PHONE_CHECK_KEY is secret and not shown; it has 14 characters, with white space at an end and ' +
      'white space inside: expected the key of the phone validation service',
  );
});
