import { describe, expect, test } from 'vitest';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import { parseSettings } from '../settings/settings.ts';
import { readSurveys } from './surveys.ts';

const noHttp = {} as OutgoingHttp;

async function surveysOf(environment: NodeJS.ProcessEnv) {
  const settings = parseSettings(environment);
  const connected = settings.destinations.flatMap(({ definition, values }) =>
    values ? [definition.connect(values, noHttp)] : [],
  );
  const surveys = await readSurveys(settings, connected, new Map([['ingest', 'Garza Abogados']]));
  return (path: string) => {
    const survey = surveys.find((each) => each.path === path);
    if (!survey) throw new Error(`no survey ${path}`);
    const fates = survey.goesTo.map(({ destination, ...fate }) => [destination, fate]);
    return { ...survey, fate: Object.fromEntries(fates) };
  };
}

describe('The destinations of a survey’s leads', async () => {
  const all = await surveysOf({
    INGEST_URL: 'https://ingest.example',
    INGEST_CAMPAIGN_ID: '1',
    INGEST_SUPPLIER_ID: '2',
    INGEST_KEY: 'key',
    EXCHANGE_URL: 'https://exchange.example/leads',
    AUTOMATION_WEBHOOK_URL: 'https://hooks.example/a/b',
    TRUSTEDFORM_API_KEY: 'k1234567890',
    WEBHOOK_URL: 'https://crm.example/events',
    WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    SURVEY_OVERRIDES: JSON.stringify({
      '/survey/v4': { deliversToIngest: false },
      '/survey/v5': { destinations: ['exchange'] },
    }),
  });

  test('are by default all configured destinations', () => {
    const { fate, testAddress } = all('/survey/v4nv');
    expect(testAddress).toMatch(/^https?:.*\/survey\/v4nv\?lp_action=test$/);
    expect(fate).toMatchObject({
      ingest: { title: 'Garza Abogados', takes: 'all', takesTests: true },
      exchange: { takes: 'all', takesTests: false },
      automation: { takes: 'some', takesTests: true },
      trustedform: { takes: 'some', text: expect.stringContaining('with a consent certificate') },
      webhook: { takes: 'all', takesTests: true },
    });
  });

  test('are the destinations that the survey’s row lists', () => {
    expect(all('/survey/v4').fate.ingest).toMatchObject({
      takes: 'none',
      text: 'The survey’s row turns it off (deliversToIngest).',
    });
    const named = all('/survey/v5').fate;
    expect(named.exchange.takes).toBe('all');
    expect(named.ingest).toMatchObject({ takes: 'none', text: expect.stringContaining('names') });
    expect(named.webhook.takes).toBe('all');
    expect(all('/ticket').fate.exchange).toMatchObject({ takes: 'none' });
  });
});
