import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { campaignFields, contactCampaignFields } from '../sandbox/ingest-fields.ts';
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

  test('names only settings that exist', () => {
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

  function differences(listed: readonly string[], accepted: object): string[] {
    const names = Object.keys(accepted).filter((name) => !credentials.includes(name));
    return [
      ...names
        .filter((name) => !listed.includes(name))
        .map((name) => `add ${name} to docs/accounts/lead-prosper.md`),
      ...listed
        .filter((name) => !names.includes(name))
        .map((name) => `add ${name} to sandbox/ingest-fields.ts, or remove it from the page`),
    ];
  }

  test('contains the name of each field of the sandbox exactly once', () => {
    expect(differences([...both, ...ofSurveys], campaignFields)).toEqual([]);
    expect(differences([...both, ...ofContactForm], contactCampaignFields)).toEqual([]);
    expect(new Set(lists.flat()).size).toBe(lists.flat().length);
  });

  test('lists every outgoing field of a lead', () => {
    const goesOut = fieldsWhere((field) => field.goesOut !== 'never');
    const missing = goesOut.filter((name) => !both.includes(name) && !ofSurveys.includes(name));
    expect(missing, 'Add these fields to docs/accounts/lead-prosper.md').toEqual([]);
  });
});
