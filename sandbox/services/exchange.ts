import * as v from 'valibot';
import { ipAddress, reply, type StandIn, takes, zipCode } from '../service.ts';

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
  {
    name: 'exchange',
    settings: (url) => ({ EXCHANGE_URL: `${url}/exchange/lead-data` }),
    routes: {
      'POST /exchange/lead-data': takes('json', schema, (detail, { effect }) => {
        const key = detail.leadId || `${detail.ipAddress} ${detail.zipCode}`;
        effect({ keys: [key], detail, recognise: false });
        return reply({ status: 'ok' }, key);
      }),
    },
  },
];
