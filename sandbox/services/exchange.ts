import * as v from 'valibot';
import { act, ipAddress, type StandIn, takes, zipCode } from '../service.ts';

const schema = v.strictObject({
  project: v.literal('MVA'),
  zipCode,
  ipAddress,
  userAgent: v.string(),
  /** The URL of the TrustedForm certificate, or an empty text. */
  tf: v.string(),
  /** The specification does not name the lead's id, so the sandbox accepts any text. */
  leadId: v.string(),
});

/**
 * The stand-in for the exchange (docs/specification.md#calls-of-the-server), which accepts
 * duplicates.
 */
export const standIns: readonly StandIn[] = [
  ({ effect }) => ({
    name: 'exchange',
    settings: (url) => ({ EXCHANGE_URL: `${url}/exchange/lead-data` }),
    routes: {
      'POST /exchange/lead-data': takes('json', schema, (detail) => {
        const key = detail.leadId || `${detail.ipAddress} ${detail.zipCode}`;
        return act(() => {
          effect({ service: 'exchange', keys: [key], detail, recognise: false });
          return { status: 200, body: { status: 'ok' }, effect: true };
        }, key);
      }),
    },
  }),
];
