import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { campaignFields, contactCampaignFields } from '../sandbox/lead-fields.ts';
import { fieldsWhere } from '../src/model/fields/lead-fields.ts';
import { destinations } from '../src/server/delivery/destinations/index.ts';
import { variables } from '../src/server/settings/variables.ts';

const docs = path.join(import.meta.dirname, '..', 'docs');
const read = (file: string) => readFileSync(path.join(docs, file), 'utf8');
const pages = readdirSync(path.join(docs, 'accounts'));
const settings = new Set([
  ...Object.keys(variables),
  ...destinations.flatMap((definition) => Object.keys(definition.variables)),
]);

describe.each(pages)('docs/accounts/%s', (page) => {
  const text = read(`accounts/${page}`);

  test('names only existing settings', () => {
    const named = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !settings.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });
});

describe('docs/accounts/lead-prosper.md', () => {
  const lists = [...read('accounts/lead-prosper.md').matchAll(/```text\n([^`]+)```/g)].map(
    (match) => (match[1] ?? '').trim().split(/\s+/),
  );
  const [both = [], ofSurveys = [], ofContactForm = []] = lists;
  const credentials = ['lp_campaign_id', 'lp_supplier_id', 'lp_key', 'lp_action'];
  const listed = (fields: object) =>
    Object.keys(fields)
      .filter((name) => !credentials.includes(name))
      .toSorted();

  test('lists exactly the fields that the sandbox accepts', () => {
    expect([...both, ...ofSurveys].toSorted()).toEqual(listed(campaignFields));
    expect([...both, ...ofContactForm].toSorted()).toEqual(listed(contactCampaignFields));
  });

  test('lists every outgoing field of a lead', () => {
    const goesOut = fieldsWhere((field) => field.goesOut !== 'never');
    expect(goesOut.filter((name) => !both.includes(name) && !ofSurveys.includes(name))).toEqual([]);
  });
});
