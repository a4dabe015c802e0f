import { randomUUID } from 'node:crypto';
import {
  act,
  type Exchange,
  refuse,
  type SandboxContext,
  type Service,
  type Verdict,
} from '../service.ts';

/** A script that is answered to a page, and counts as an effect: it was loaded. */
function scriptVerdict(body: string): Verdict {
  return act(() => ({
    effect: true,
    answer: {
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
      body,
    },
  }));
}

const leadid = (token: string) => `(function () {
  var token = '${token}';
  setTimeout(function () {
    var input = document.getElementById('leadid_token');
    if (input) input.value = token;
  }, 100);
})();
`;

/**
 * LeadiD: `GET /campaign/{campaign}.js` fills the hidden input `leadid_token` with a GUID of 36
 * characters, a moment after it has loaded, so that a page has to poll. Another campaign is 404.
 */
export function leadidService(context: SandboxContext): Service {
  function judge(exchange: Exchange): Verdict {
    if (exchange.params.file !== `${context.credentials.leadidCampaign}.js`) {
      return refuse(['campaign: not known'], { status: 404, body: 'Not Found' });
    }
    return scriptVerdict(leadid(randomUUID().toUpperCase()));
  }
  return {
    name: 'leadid',
    title: 'LeadiD token',
    calledFromPages: true,
    routes: [{ method: 'GET', path: '/campaign/:file', handle: judge }],
  };
}

const callTracking = `(function () {
  var digits = '2125550142', shown = '(212) 555-0142';
  function swap() {
    document.querySelectorAll('a[href^="tel:"]').forEach(function (link) {
      link.href = 'tel:+1' + digits;
      var label = link.querySelector('[data-phone]') || link;
      if (/\\(?\\d{3}\\)?[ -]?\\d{3}-\\d{4}/.test(label.textContent)) {
        label.textContent = label.textContent.replace(/\\(?\\d{3}\\)?[ -]?\\d{3}-\\d{4}/, shown);
      }
    });
  }
  setTimeout(swap, 50);
})();
`;

/**
 * A call-tracking widget: `GET /call-tracking.js` overwrites the number of every `tel:` link with
 * one of its pool, (212) 555-0142, shortly after loading. Told to fail, it leaves them alone, as an
 * exhausted pool does.
 */
export function callTrackingService(): Service {
  return {
    name: 'call-tracking',
    title: 'Call tracking',
    calledFromPages: true,
    routes: [
      { method: 'GET', path: '/call-tracking.js', handle: () => scriptVerdict(callTracking) },
    ],
  };
}

/**
 * The third-party pixel: `GET /pixel.js` marks the page as counted. A query is a breach: answers
 * about injuries never go to an ad platform.
 */
export function pixelService(): Service {
  function judge(exchange: Exchange): Verdict {
    return exchange.query.size > 0
      ? refuse(['query: expected none'], { status: 400, body: 'Bad Request' })
      : scriptVerdict('window.sandboxPixelLoads = (window.sandboxPixelLoads || 0) + 1;\n');
  }
  return {
    name: 'pixel',
    title: 'Pixel script',
    calledFromPages: true,
    routes: [{ method: 'GET', path: '/pixel.js', handle: judge }],
  };
}
