/** Takes text messages from Twilio (docs/accounts/twilio.md). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { revokesConsent } from '../../model/rules/revocation.ts';
import { postedFields, takePostedForms } from './form-post.ts';
import { sendProblem } from './problem.ts';
import type { ApiOptions } from './use-cases.ts';
import { siteOriginOf } from './visitor.ts';

const NO_REPLY = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

/** Returns Twilio's signature of a request: the HMAC-SHA1 of URL and fields. */
export function twilioSignature(token: string, url: string, fields: [string, string][]): Buffer {
  const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return createHmac('sha1', token)
    .update(url + sorted.flat().join(''))
    .digest();
}

/** Adds the route for text messages if TWILIO_AUTH_TOKEN is set. */
export const textMessageRoutes: FastifyPluginAsync<ApiOptions> = async (
  app,
  { useCases, settings: { twilioAuthToken: token, publicUrl } },
) => {
  if (token === undefined) return;
  await takePostedForms(app, publicUrl);
  app.post('/sms/twilio', async (request, reply) => {
    const fields = postedFields(request.body);
    const url = (publicUrl ?? siteOriginOf(request)) + request.url;
    const given = Buffer.from(String(request.headers['x-twilio-signature']), 'base64');
    const expected = twilioSignature(token, url, fields);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return sendProblem(reply, 403, 'not_allowed', 'The signature is wrong.');
    }
    const { From = '', Body = '', OptOutType } = Object.fromEntries(fields);
    // Ignores foreign numbers, because their digits may be those of an American number.
    if (/^\+1[2-9]\d{9}$/.test(From) && revokesConsent(Body, OptOutType)) {
      await useCases.takeStop(From);
    }
    return reply.header('cache-control', 'no-store').type('text/xml; charset=utf-8').send(NO_REPLY);
  });
};
