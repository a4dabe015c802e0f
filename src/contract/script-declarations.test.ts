import { expect, it } from 'vitest';
import { benefits } from '../flows/variants/benefits.ts';
import { v4 } from '../flows/variants/v4.ts';
import { variantA } from '../flows/variants/variant-a.ts';
import {
  declaredScripts,
  merged,
  type ScriptSettings,
  scriptsOfPage,
} from './script-declarations.ts';

const none: ScriptSettings = {
  pixel: '',
  caseWorth: '',
  caseWorthFacebook: '',
  ticket: '',
  adPixel: '',
  trustedForm: '',
  leadid: '',
  moreHosts: {},
};
const all: ScriptSettings = {
  ...none,
  pixel: 'https://pixel.example/p.js',
  click: { baseUrl: 'https://clicks.example', by: 'page', timeoutMs: 5000 },
  trustedForm: 'https://api.trustedform.com/trustedform.js',
  leadid: 'https://create.lidstatic.com/campaign/c.js?snippet_version=2',
  callTracking: { vendor: 'ringba', numbers: { src: 'https://b-js.ringba.com/CA1' } },
};
const names = (...given: Parameters<typeof declaredScripts>) =>
  declaredScripts(...given).map(({ name }) => name);
const hosts = (...given: Parameters<typeof declaredScripts>) =>
  merged(declaredScripts(...given).map((script) => script.hosts));

it('declaredScripts omits the consent certificates if the flow posts no lead, and scripts of other flows', () => {
  expect(names(v4, all)).not.toContain('pixel');
  expect(names(benefits, all)).toEqual(['clickTracker', 'callTracking']);
});

it('declaredScripts declares the fields that each script collects and how long to wait for them', () => {
  expect(
    declaredScripts(variantA, all).map(({ name, collects, waitMs }) => [name, collects, waitMs]),
  ).toEqual([
    ['clickTracker', ['ef_transaction_id'], 500],
    ['trustedForm', ['trustedform_cert_url', 'trusted_form_cert_id'], 1000],
    ['leadid', ['leadid_token'], 1000],
    ['callTracking', ['call_tracking_number'], undefined],
    ['pixel', [], undefined],
  ]);
});

it('declaredScripts allows no host if our server registers the click', () => {
  const click = { baseUrl: 'https://clicks.example', by: 'server', timeoutMs: 5000 } as const;
  const declared = declaredScripts(v4, { ...none, click });
  expect(declared).toMatchObject([{ name: 'serverClick', src: '/api/click', hosts: {} }]);
});

it('declaredScripts declares one number pool for each traffic source if there are two', () => {
  const callTracking = {
    vendor: 'invoca',
    numbers: { src: 'https://solutions.invocacdn.com/i.js', tagId: '1/2' },
    facebook: { src: 'https://solutions.invocacdn.com/i.js', tagId: '1/3' },
  } as const;
  expect(scriptsOfPage(declaredScripts(v4, { ...none, callTracking }))).toEqual([
    { name: 'callTracking', withoutAnswer: true, ...callTracking.numbers, pool: 'google' },
    { name: 'callTracking', withoutAnswer: true, ...callTracking.facebook, pool: 'facebook' },
  ]);
});

it('the hosts of a survey’s scripts are, by directive, each script’s own host and its vendor’s', () => {
  expect(hosts(variantA, all)).toEqual({
    'script-src': [
      'https://clicks.example',
      'https://api.trustedform.com',
      'https://cdn.trustedform.com',
      'https://create.lidstatic.com',
      'https://create.leadid.com',
      'https://b-js.ringba.com',
      'https://display.ringba.com',
      'https://pixel.example',
    ],
    'connect-src': [
      'https://clicks.example',
      'https://api.trustedform.com',
      'https://cdn.trustedform.com',
      'https://create.lidstatic.com',
      'https://create.leadid.com',
      'https://info.leadid.com',
      'https://b-js.ringba.com',
      'https://display.ringba.com',
      'https://pixel.example',
    ],
    'img-src': [
      'https://api.trustedform.com',
      'https://cdn.trustedform.com',
      'https://create.leadid.com',
      'https://pixel.example',
    ],
  });
});

it('the hosts of a survey’s scripts exclude the vendor’s if the script comes from another host', () => {
  const trustedForm = 'https://eviltrustedform.com/trustedform.js';
  expect(hosts(v4, { ...none, trustedForm })).toEqual({
    'script-src': ['https://eviltrustedform.com'],
    'connect-src': ['https://eviltrustedform.com'],
  });
});

it('the hosts of a survey’s scripts include those of the setting, for scripts that are enabled', () => {
  const moreHosts = {
    pixel: { 'frame-src': ['https://frame.example'] },
    leadid: { 'img-src': ['https://off.example'] },
  };
  const settings = { ...none, pixel: all.pixel, moreHosts };
  expect(hosts(variantA, settings)).toMatchObject({ 'frame-src': ['https://frame.example'] });
  expect(JSON.stringify(hosts(variantA, settings))).not.toContain('off.example');
});
