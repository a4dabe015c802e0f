import { randomUUID } from 'node:crypto';
import {
  act,
  type Exchange,
  refuse,
  reply,
  type SandboxContext,
  type Service,
  type StandIn,
  scriptAnswer,
  type Verdict,
} from '../service.ts';

/** Answers with a script, and counts the load as an effect. */
function scriptVerdict(body: string): Verdict {
  return act(() => ({ effect: true, answer: scriptAnswer(body) }));
}

const leadid = (token: string) => `(function () {
  var token = '${token}';
  if (!document.getElementById('LeadiDscript_campaign')) return;
  setTimeout(function () {
    var input = document.getElementById('leadid_token');
    if (input && input.name === 'universal_leadid') input.value = token;
  }, 100);
})();
`;

/**
 * Imitates LeadiD: `GET /campaign/{campaign}.js?snippet_version=2` fills the hidden input
 * `leadid_token` (name `universal_leadid`) with a GUID of 36 characters. It does so a moment after
 * it has loaded, so a page has to poll. Like the vendor's, it finds its own element by id. Another
 * campaign is 404.
 */
function leadidService(context: SandboxContext): Service {
  function judge(exchange: Exchange): Verdict {
    if (exchange.params.file !== `${context.credentials.leadidCampaign}.js`) {
      return refuse('campaign: not known', { status: 404, body: 'Not Found' });
    }
    if (exchange.query.toString() !== 'snippet_version=2') {
      return refuse('query: expected snippet_version=2', { status: 400, body: 'Bad Request' });
    }
    return scriptVerdict(leadid(randomUUID().toUpperCase()));
  }
  return {
    name: 'leadid',
    title: 'LeadiD token',
    settings: () => ({}),
    scripts: (url) => ({
      LEADID_SCRIPT_URL: `${url}/campaign/${context.credentials.leadidCampaign}.js?snippet_version=2`,
    }),
    calledFromPages: true,
    routes: [{ method: 'GET', path: '/campaign/:file', handle: judge }],
  };
}

/** The phone number of each pool, by the name of the campaign, company or tag; one pool is exhausted. */
const numberPools: Readonly<Record<string, string>> = {
  google: '(212) 555-0142',
  facebook: '(212) 555-0143',
  exhausted: '',
};

/**
 * Overwrites the first phone number in the page's text, as a widget that does not know the page: links and
 * other places are left to the page.
 */
const callTracking = (pool: string) => `(function () {
  var shown = (${JSON.stringify(numberPools)})[${pool}];
  if (!shown) return;
  setTimeout(function () {
    var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), node;
    while ((node = walker.nextNode())) {
      if (/script|style/i.test(node.parentNode.nodeName)) continue;
      if (!/\\(\\d{3}\\) \\d{3}-\\d{4}/.test(node.data)) continue;
      node.data = node.data.replace(/\\(\\d{3}\\) \\d{3}-\\d{4}/, shown);
      return;
    }
  }, 50);
})();
`;

/**
 * Imitates call-tracking widgets: Ringba at `GET /ringba/{campaign}`, CallRail at `GET
 * /companies/{company}/{key}/12/swap.js`, Invoca at `GET /js/invoca-latest.min.js` (its tag is
 * `window.InvocaTagId`, `1/{pool}`). Soon after loading, each overwrites one number with one of its
 * pool; an exhausted pool changes nothing.
 */
function callTrackingService(): Service {
  const ofPool = (pool: string | undefined): Verdict =>
    pool !== undefined && pool in numberPools
      ? scriptVerdict(callTracking(JSON.stringify(pool)))
      : refuse('pool: not known', { status: 404, body: 'Not Found' });
  return {
    name: 'call-tracking',
    title: 'Call tracking',
    settings: () => ({}),
    scripts: (url) => ({
      CALL_TRACKING: 'ringba',
      CALL_TRACKING_SCRIPT_URL: `${url}/ringba/google`,
      CALL_TRACKING_FACEBOOK_SCRIPT_URL: `${url}/ringba/facebook`,
    }),
    calledFromPages: true,
    routes: [
      { method: 'GET', path: '/ringba/:pool', handle: ({ params }) => ofPool(params.pool) },
      {
        method: 'GET',
        path: '/companies/:pool/:key/12/swap.js',
        handle: ({ params }) => ofPool(params.pool),
      },
      {
        method: 'GET',
        path: '/js/invoca-latest.min.js',
        handle: () => scriptVerdict(callTracking("String(window.InvocaTagId).replace('1/', '')")),
      },
    ],
  };
}

/** The scripts of ad platforms that the surveys load. */
const pixels = ['injury', 'case-worth', 'case-worth-facebook', 'ticket', 'ad'];

/**
 * Imitates the pixels: `GET /pixels/{name}.js` marks the page as counted, and reports with a
 * picture from its own host. A query is a violation: answers about injuries never go to an ad
 * platform.
 */
function pixelService(): Service {
  function judge({ params, query }: Exchange): Verdict {
    const [name = '', type] = params.file?.split('.') ?? [];
    if (!pixels.includes(name) || (type !== 'js' && type !== 'svg')) {
      return refuse('pixel: not known', { status: 404, body: 'Not Found' });
    }
    if (query.size > 0) {
      return refuse('query: expected none', { status: 400, body: 'Bad Request' });
    }
    if (type === 'svg') {
      const body = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
      return reply(body, 200, { 'content-type': 'image/svg+xml' });
    }
    return scriptVerdict(`(function () {
  window.sandboxPixelLoads = (window.sandboxPixelLoads || []).concat('${name}');
  new Image().src = new URL('/pixels/${name}.svg', document.currentScript.src);
})();
`);
  }
  return {
    name: 'pixel',
    title: 'Pixel scripts',
    settings: () => ({}),
    scripts: (url) => ({
      PIXEL_SCRIPT_URL: `${url}/pixels/injury.js`,
      CASE_WORTH_SCRIPT_URL: `${url}/pixels/case-worth.js`,
      CASE_WORTH_FACEBOOK_SCRIPT_URL: `${url}/pixels/case-worth-facebook.js`,
      TICKET_SCRIPT_URL: `${url}/pixels/ticket.js`,
      AD_PIXEL_SCRIPT_URL: `${url}/pixels/ad.js`,
    }),
    calledFromPages: true,
    routes: [{ method: 'GET', path: '/pixels/:file', handle: judge }],
  };
}

export const standIns: readonly StandIn[] = [leadidService, callTrackingService, pixelService];
