import { randomUUID } from 'node:crypto';
import { credentials } from '../credentials.ts';
import { type Answer, type Exchange, refuse, type StandIn, script } from '../service.ts';

const campaign = `/campaign/${credentials.leadidCampaign}.js`;

const leadidScript = (token: string) => `(function () {
  var token = '${token}';
  if (!document.getElementById('LeadiDscript_campaign')) return;
  setTimeout(function () {
    var input = document.getElementById('leadid_token');
    if (input && input.name === 'universal_leadid') input.value = token;
  }, 100);
})();
`;

/**
 * The stand-in for LeadiD, whose script fills the field `leadid_token` a moment after the page has
 * loaded the script.
 */
const leadid: StandIn = {
  name: 'leadid',
  scripts: (url) => ({ LEADID_SCRIPT_URL: `${url}${campaign}?snippet_version=2` }),
  routes: {
    [`GET ${campaign}`]: ({ query }) =>
      query.toString() === 'snippet_version=2'
        ? script(leadidScript(randomUUID().toUpperCase()))
        : refuse('query: expected snippet_version=2', { status: 400, body: 'Bad Request' }),
  },
};

/** Maps each number pool to its phone number. */
const numberPools: Readonly<Record<string, string>> = {
  google: '(212) 555-0142',
  facebook: '(212) 555-0143',
  exhausted: '',
};

/**
 * Returns a script that replaces the first phone number in the page's text. The script leaves links
 * unchanged.
 */
const swapNumber = (shown: string) => `(function () {
  var shown = '${shown}';
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

/** The stand-in for Ringba's widget, which replaces a phone number on the page. */
const callTracking: StandIn = {
  name: 'call-tracking',
  scripts: (url) => ({
    CALL_TRACKING: 'ringba',
    CALL_TRACKING_SCRIPT_URL: `${url}/ringba/google`,
    CALL_TRACKING_FACEBOOK_SCRIPT_URL: `${url}/ringba/facebook`,
  }),
  routes: {
    'GET /ringba/:pool'({ params: { pool = '' } }) {
      const shown = numberPools[pool];
      return shown === undefined
        ? refuse('pool: not known', { status: 404, body: 'Not Found' })
        : script(swapNumber(shown));
    },
  },
};

/** Maps each setting to the name of a pixel, which is a script of an advertising platform. */
const pixels = {
  PIXEL_SCRIPT_URL: 'injury',
  CASE_WORTH_SCRIPT_URL: 'case-worth',
  CASE_WORTH_FACEBOOK_SCRIPT_URL: 'case-worth-facebook',
  TICKET_SCRIPT_URL: 'ticket',
  AD_PIXEL_SCRIPT_URL: 'ad',
};

const pixelScript = (name: string) => `(function () {
  window.sandboxPixelLoads = (window.sandboxPixelLoads || []).concat('${name}');
  new Image().src = new URL('/pixels/${name}.svg', document.currentScript.src);
})();
`;
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/**
 * Answers with a pixel. A query is a violation, because a query may disclose answers about an
 * injury.
 */
function pixelVerdict({ params, query }: Exchange): Answer {
  const [name = '', type] = params.file?.split('.') ?? [];
  if (!Object.values(pixels).includes(name) || (type !== 'js' && type !== 'svg')) {
    return refuse('pixel: not known', { status: 404, body: 'Not Found' });
  }
  if (query.size > 0) return refuse('query: expected none', { status: 400, body: 'Bad Request' });
  return type === 'svg'
    ? { status: 200, body: picture, headers: { 'content-type': 'image/svg+xml' } }
    : script(pixelScript(name));
}

const pixel: StandIn = {
  name: 'pixel',
  scripts: (url) =>
    Object.fromEntries(
      Object.entries(pixels).map(([setting, name]) => [setting, `${url}/pixels/${name}.js`]),
    ),
  routes: { 'GET /pixels/:file': pixelVerdict },
};

export const standIns: readonly StandIn[] = [leadid, callTracking, pixel];
