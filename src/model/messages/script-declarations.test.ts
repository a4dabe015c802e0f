import { expect, it } from 'vitest';
import { benefits } from '../flows/variants/benefits.ts';
import { v4 } from '../flows/variants/v4.ts';
import { variantA } from '../flows/variants/variant-a.ts';
import { hostsOfScripts, type ScriptSettings, surveyScripts } from './script-declarations.ts';

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
  callTracking: { numbers: { src: 'https://b-js.ringba.com/CA1' } },
};
type Given = Parameters<typeof surveyScripts>;
const names = (...given: Given) => surveyScripts(...given).map(({ name }) => name);
const hosts = (...given: Given) => hostsOfScripts(surveyScripts(...given), given[1]);

it('surveyScripts omits the scripts of consent certificates if the flow posts no lead', () => {
  expect(names(v4, all)).not.toContain('pixel');
  expect(names(benefits, all)).toEqual(['clickTracker', 'callTracking']);
});

it('surveyScripts sets how long the last button waits for each script', () => {
  expect(surveyScripts(variantA, all).map(({ name, waitMs }) => [name, waitMs])).toEqual([
    ['clickTracker', 500],
    ['trustedForm', 1000],
    ['leadid', 1000],
    ['callTracking', undefined],
    ['pixel', undefined],
  ]);
});

it('hostsOfScripts omits the host of the click tracker if our server registers ad clicks', () => {
  const click = { baseUrl: 'https://clicks.example', by: 'server', timeoutMs: 5000 } as const;
  const settings = { ...none, click };
  expect(surveyScripts(v4, settings)).toMatchObject([{ name: 'serverClick', src: '/api/click' }]);
  expect(hosts(v4, settings)).toEqual({});
});

it('hostsOfScripts returns the host of each script, the hosts of its vendor and added hosts', () => {
  const usual = [
    'https://clicks.example',
    'https://api.trustedform.com',
    'https://cdn.trustedform.com',
    'https://create.lidstatic.com',
    'https://create.leadid.com',
    'https://info.leadid.com',
    'https://b-js.ringba.com',
    'https://display.ringba.com',
    'https://pixel.example',
  ];
  const frames = ['https://frames.example'];
  expect(hosts(variantA, { ...all, moreHosts: { pixel: { 'frame-src': frames } } })).toEqual({
    'script-src': usual,
    'connect-src': usual,
    'img-src': usual,
    'frame-src': frames,
  });
});
