import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  matching,
  reply,
  type StandIn,
  script,
  takes,
  trackingIds,
  trackingValue,
} from '../service.ts';

const querySchema = v.strictObject({
  oid: matching(/^\d+$/, 'a number'),
  affid: matching(/^\d+$/, 'a number'),
  ...trackingIds,
  _ef_transaction_id: trackingValue,
  async: v.optional(v.literal('json')),
});

const transactionId = /^[0-9a-f]{32}$/;

/** The click tracker's script for survey pages. The script sets the global `EF`. */
const pageScript = `(function () {
  var base = new URL(document.currentScript.src).origin;
  var names = { offer_id: 'oid', affiliate_id: 'affid', transaction_id: '_ef_transaction_id',
    uid: 'uid', source_id: 'source_id', sub1: 'sub1', sub2: 'sub2', sub3: 'sub3', sub4: 'sub4', sub5: 'sub5' };
  window.EF = {
    urlParameter: function (name) { return new URL(location.href).searchParams.get(name); },
    click: function (options) {
      var query = new URLSearchParams({ async: 'json' });
      Object.keys(names).forEach(function (name) {
        var value = options[name];
        if (value !== undefined && value !== null && value !== '') query.set(names[name], value);
      });
      return new Promise(function (resolve) {
        fetch(base + '/clk?' + query, { referrerPolicy: 'no-referrer' })
          .then(function (answer) { return answer.json(); })
          .then(function (answer) { if (answer.transaction_id) resolve(answer.transaction_id); })
          .catch(function () {});
      });
    },
  };
})();
`;

/** The stand-in for the click tracker Everflow. */
export const standIns: readonly StandIn[] = [
  {
    name: 'clicks',
    scripts: (url) => ({ CLICK_TRACKER_URL: url }),
    routes: {
      'GET /clk': takes(
        'query',
        querySchema,
        (query, { effect }) => {
          const earlier = query._ef_transaction_id;
          if (earlier && transactionId.test(earlier)) return reply({ transaction_id: earlier });
          const id = randomBytes(16).toString('hex');
          effect({ keys: [id], detail: query as Record<string, string> });
          return reply({ transaction_id: id });
        },
        (violations) => ({ status: 400, body: { Error: violations.join('; ') } }),
      ),
      'GET /scripts/main.js': () => script(pageScript),
    },
  },
];
