/** The API calls of a survey's script (docs/specification.md#calls-of-the-page). */
import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, RouteHandlerMethod } from 'fastify';
import { pageAlerts, sendSlackMessagePath } from '../../model/messages/alerts.ts';
import { buyersPath, mappingPath } from '../../model/messages/buyers.ts';
import {
  checkEmailPath,
  checkPhonePath,
  checkTextPath,
  zipPath,
} from '../../model/messages/checks.ts';
import { clickPath } from '../../model/messages/click.ts';
import { leadId, oneOf, textOf } from '../../model/messages/console/requests.ts';
import { estimatePath } from '../../model/messages/estimate.ts';
import { leadIdHeader } from '../../model/messages/lead.ts';
import {
  deviceClasses,
  type PageSpeed,
  pageSpeedPath,
  speedMetrics,
} from '../../model/messages/page-speed.ts';
import { phoneCodePath } from '../../model/messages/phone-code.ts';
import { prefillPath } from '../../model/messages/prefill.ts';
import { visitorStatePath } from '../../model/messages/visitor-state.ts';
import { addRoute, type RequestOf, type Schemas } from './add-route.ts';
import { checkLimit, perMinute } from './limits.ts';
import { sendProblem } from './problem.ts';
import type { ApiOptions } from './use-cases.ts';
import { LEAD_ID, leadOf, visitorOf } from './visitor.ts';

const ALERTS_PER_MINUTE = 5;
const SPEEDS_PER_MINUTE = 60;

const wholeNumber = Type.Integer({ minimum: 0, maximum: 999_999_999_999 });
const digits = Type.String({ pattern: '^\\d{1,12}$' });
const survey = textOf(100);
const tracking = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));
const strict = { additionalProperties: false };

const phoneBody = Type.Object({
  phone: textOf(40),
  survey: Type.Optional(survey),
  lead_id: Type.Optional(leadId),
  keep_active: Type.Optional(Type.Boolean()),
});
const buyersBody = { lead_id: leadId, survey, zip_code: Type.String({ pattern: '^\\d{5}$' }) };
const codeBody = Type.Object({
  lead_id: leadId,
  survey,
  // Ignores the posted `sent_status`, because the server itself records which codes it sent.
  twilio: Type.Object({ phone: textOf(40), code: Type.Optional(textOf(20)) }),
});
const speedBody = Type.Object(
  {
    page: textOf(200),
    device: oneOf(deviceClasses),
    values: Type.Array(
      Type.Object({
        metric: oneOf(speedMetrics),
        step: Type.String({ maxLength: 100 }),
        value: Type.Number({ minimum: 0, maximum: 600_000 }),
      }),
      { minItems: 1, maxItems: 3 },
    ),
  },
  strict,
);
const clickBody = {
  offer_id: digits,
  affiliate_id: digits,
  sub1: tracking,
  sub2: tracking,
  sub3: tracking,
  sub4: tracking,
  sub5: tracking,
  uid: tracking,
  source_id: tracking,
  transaction_id: tracking,
};

export const pageCalls: FastifyPluginAsync<ApiOptions> = async (app, { useCases, settings }) => {
  const { visitorStateHeader, limits } = settings;
  const rateLimit = checkLimit(
    app,
    limits.checksPerAddressPerMinute,
    (request) => visitorOf(request).secretSha256 ?? undefined,
  );
  /** Adds a route for a call of the page at a method and path, such as `POST /api/check/phone`. */
  const call = <const Takes extends Schemas>(
    address: string,
    schema: Takes,
    handle: (request: RequestOf<Takes>, reply: FastifyReply) => unknown,
  ) => {
    const handler = handle as RouteHandlerMethod;
    addRoute(app, address, { schema, config: { rateLimit }, handler });
  };

  call(`POST ${checkPhonePath}`, { body: phoneBody }, (request) => {
    const { phone, survey = '', lead_id, keep_active } = request.body;
    const lead = leadOf(request, lead_id);
    return useCases.checkPhone(phone, survey, lead, visitorOf(request), keep_active);
  });

  call(
    `POST ${checkEmailPath}`,
    { body: Type.Object({ email: textOf(500), lead_id: leadId }) },
    (request) => useCases.checkEmail(request.body.email, request.body.lead_id, visitorOf(request)),
  );

  call(
    `POST ${checkTextPath}`,
    { body: Type.Object({ text: textOf(10_000), lead_id: Type.Optional(leadId) }) },
    (request) => useCases.checkText(request.body.text, leadOf(request, request.body.lead_id)),
  );

  call(
    `GET ${zipPath}:zip`,
    { params: Type.Object({ zip: textOf(20) }) },
    async (request, reply) => {
      const { [leadIdHeader]: given } = request.headers;
      const isLead = typeof given === 'string' && LEAD_ID.test(given);
      const lead = leadOf(request, isLead ? given : undefined);
      const place = await useCases.checkZip(request.params.zip, lead);
      // Every visitor gets the same answer, which changes only when the zip data is updated.
      reply.header('cache-control', 'public, max-age=86400');
      return place;
    },
  );

  call(
    `POST ${estimatePath}`,
    { body: Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({})) },
    (request) => useCases.estimate(request.body),
  );

  call(
    `GET ${prefillPath}`,
    { querystring: Type.Object({ affid: digits }) },
    async (request, reply) => {
      const isOn = await useCases.checkPrefill(request.query.affid);
      reply.header('cache-control', 'no-store');
      return { result: isOn ? 'yes' : 'no' };
    },
  );

  call(
    `POST ${mappingPath}`,
    { body: Type.Object({ lead_id: leadId, survey, affid: wholeNumber, oid: wholeNumber }) },
    (request) => {
      const { lead_id: leadId, survey, affid, oid } = request.body;
      const { secretSha256 } = visitorOf(request);
      return useCases.mapLead({ leadId, secretSha256, survey, affid, oid });
    },
  );

  call(`POST ${buyersPath}`, { body: Type.Object(buyersBody) }, (request) =>
    useCases.findBuyers(request.body, visitorOf(request)),
  );

  call(`POST ${phoneCodePath}`, { body: codeBody }, (request) => {
    const { lead_id, survey, twilio } = request.body;
    const { phone, code = '' } = twilio;
    const given = { leadId: lead_id, survey, phone, code: code.trim() };
    return useCases.verifyPhone(given, visitorOf(request));
  });

  const { trackClick } = useCases;
  if (trackClick) {
    call(`POST ${clickPath}`, { body: Type.Object(clickBody, strict) }, async (request) => ({
      transaction_id: visitorOf(request).secGpc ? '' : await trackClick(request.body),
    }));
  }

  if (visitorStateHeader !== undefined) {
    call(`GET ${visitorStatePath}`, {}, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { state: visitorOf(request).state ?? '' };
    });
  }

  app.post<{ Body: PageSpeed }>(
    pageSpeedPath,
    {
      config: { rateLimit: perMinute(SPEEDS_PER_MINUTE) },
      schema: { body: speedBody },
    },
    async (request, reply) => {
      const isKnown = visitorOf(request).secGpc || (await useCases.countSpeed(request.body));
      return isKnown ? reply.code(204).send() : sendProblem(reply, 400, 'invalid_request');
    },
  );

  // Accepts only fixed texts, because anyone on the Internet can call this route.
  const alertBody = Type.Object({ text: oneOf(pageAlerts) }, strict);
  app.post<{ Body: { text: (typeof pageAlerts)[number] } }>(
    sendSlackMessagePath,
    {
      config: { rateLimit: perMinute(ALERTS_PER_MINUTE) },
      schema: { body: alertBody },
    },
    async (request, reply) => {
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') {
        return sendProblem(reply, 403, 'invalid_request');
      }
      useCases.sendPageAlert(request.body.text);
      return reply.code(204).send();
    },
  );
};
