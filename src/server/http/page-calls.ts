import type { FastifyPluginAsync } from 'fastify';
import { type PageAlert, pageAlerts, sendSlackMessagePath } from '../../model/messages/alerts.ts';
import { buyersPath, mappingPath } from '../../model/messages/buyers.ts';
import {
  checkEmailPath,
  checkPhonePath,
  checkTextPath,
  zipPath,
} from '../../model/messages/checks.ts';
import { type Click, clickPath } from '../../model/messages/click.ts';
import { estimatePath } from '../../model/messages/estimate.ts';
import { leadIdHeader } from '../../model/messages/lead.ts';
import {
  type PhoneCodeBody,
  phoneCodePath,
  phoneCodeStatuses,
} from '../../model/messages/phone-code.ts';
import { prefillPath } from '../../model/messages/prefill.ts';
import { type VisitorStateAnswer, visitorStatePath } from '../../model/messages/visitor-state.ts';
import { LEAD_ID, leadIdSchema, lookUpLimit, objectOf, perMinute, textOf } from './limits.ts';
import { sendProblem } from './problem.ts';
import type { UseCases } from './use-cases.ts';
import { leadOf, stateOf, visitorOf } from './visitor.ts';

/** Maximum number of alerts per address and minute. */
const ALERTS_PER_MINUTE = 5;

const string = { type: 'string' };
const boolean = { type: 'boolean' };
const yesNo = { type: 'string', enum: ['yes', 'no'] };
const wholeNumber = { type: 'integer', minimum: 0, maximum: 999_999_999_999 };
const digits = { type: 'string', pattern: '^\\d{1,12}$' };
const survey = textOf(100);
/** Tracking values are ids and campaign names. */
const tracking = { type: 'string', minLength: 1, maxLength: 500 };

type PageCallOptions = {
  readonly useCases: UseCases;
  readonly checksPerAddressPerMinute: number;
  /** The header in which a trusted proxy gives the visitor's state, in lower case, if any. */
  readonly visitorStateHeader: string | undefined;
};

/** The page's checks and look-ups (docs/specification.md#calls-of-the-page). */
export const pageCalls: FastifyPluginAsync<PageCallOptions> = async (app, options) => {
  const { useCases, checksPerAddressPerMinute, visitorStateHeader } = options;
  const config = {
    rateLimit: lookUpLimit(
      app,
      checksPerAddressPerMinute,
      (request) => visitorOf(request).secretSha256 ?? undefined,
    ),
  };
  const answering = (answer: object, request: object = {}) => ({
    config,
    schema: { ...request, response: { 200: answer } },
  });

  app.post<{
    Body: { phone: string; survey?: string; lead_id?: string; keep_active?: boolean };
  }>(
    checkPhonePath,
    answering(objectOf({ valid: boolean, active: boolean, forced: boolean }, ['valid', 'active']), {
      body: objectOf({ phone: textOf(40), survey, lead_id: leadIdSchema, keep_active: boolean }, [
        'phone',
      ]),
    }),
    (request) => {
      const { phone, survey = '', lead_id, keep_active } = request.body;
      const lead = leadOf(request, lead_id);
      return useCases.checkPhone(phone, survey, lead, visitorOf(request), keep_active);
    },
  );

  app.post<{ Body: { email: string; lead_id: string } }>(
    checkEmailPath,
    answering(objectOf({ blocked: boolean }), {
      body: objectOf({ email: textOf(500), lead_id: leadIdSchema }),
    }),
    (request) => useCases.checkEmail(request.body.email, request.body.lead_id, visitorOf(request)),
  );

  app.post<{ Body: { text: string; lead_id?: string } }>(
    checkTextPath,
    answering(objectOf({ is_gibberish: yesNo, bad_words: yesNo }), {
      body: objectOf({ text: textOf(20_000), lead_id: leadIdSchema }, ['text']),
    }),
    (request) => useCases.checkText(request.body.text, leadOf(request, request.body.lead_id)),
  );

  // The lead is in a header, so that caches can keep one answer for all visitors.
  app.get<{ Params: { zip: string } }>(
    `${zipPath}:zip`,
    answering(
      objectOf({ zip: string, city: string, state: string, state_long: string, county: string }),
      { params: objectOf({ zip: textOf(20) }) },
    ),
    async (request, reply) => {
      const { [leadIdHeader]: given } = request.headers;
      const isLead = typeof given === 'string' && LEAD_ID.test(given);
      const lead = leadOf(request, isLead ? given : undefined);
      const place = await useCases.lookUpZip(request.params.zip, lead);
      // The answer does not depend on the visitor; it changes with a release of the data.
      reply.header('cache-control', 'public, max-age=86400');
      return place;
    },
  );

  app.post<{ Body: Record<string, unknown> }>(
    estimatePath,
    answering(objectOf({ compLevel: { type: 'integer', minimum: 1, maximum: 7 } }), {
      body: objectOf({}),
    }),
    (request) => useCases.estimate(request.body),
  );

  app.get<{ Querystring: { affid: string } }>(
    prefillPath,
    answering(objectOf({ result: yesNo }), { querystring: objectOf({ affid: digits }) }),
    async (request, reply) => {
      const isOn = await useCases.checkPrefill(request.query.affid);
      // The service may decide differently for each visitor.
      reply.header('cache-control', 'no-store');
      return { result: isOn ? 'yes' : 'no' };
    },
  );

  // The answer must not contain the account: its key is secret.
  app.post<{ Body: { lead_id: string; survey: string; affid: number; oid: number } }>(
    mappingPath,
    answering(objectOf({ mapped: boolean }), {
      body: objectOf({ lead_id: leadIdSchema, survey, affid: wholeNumber, oid: wholeNumber }),
    }),
    (request) => {
      const { lead_id: leadId, survey, affid, oid } = request.body;
      const { secretSha256 } = visitorOf(request);
      return useCases.mapLead({ leadId, secretSha256, survey, affid, oid });
    },
  );

  const buyer = objectOf({ name: string, ids: { type: 'array', items: string } });
  const zipCode = { type: 'string', pattern: '^\\d{5}$' };
  app.post<{ Body: Record<string, unknown> }>(
    buyersPath,
    answering(
      objectOf({ consent: yesNo, timeout: yesNo, buyers: { type: 'array', items: buyer } }),
      {
        body: objectOf({ lead_id: leadIdSchema, survey, zip_code: zipCode }),
      },
    ),
    (request) => useCases.findBuyers(request.body, visitorOf(request)),
  );

  app.post<{ Body: PhoneCodeBody }>(
    phoneCodePath,
    answering(objectOf({ status: { type: 'string', enum: phoneCodeStatuses }, sent: boolean }), {
      body: objectOf({
        lead_id: leadIdSchema,
        survey,
        // `sent_status` is ignored: our own record says what was sent.
        twilio: objectOf({ phone: textOf(40), code: textOf(20) }, ['phone']),
      }),
    }),
    (request) => {
      const { lead_id: leadId, survey, twilio } = request.body;
      const { phone, code = '' } = twilio;
      return useCases.verifyPhone({ leadId, survey, phone, code: code.trim() }, visitorOf(request));
    },
  );

  const { trackClick } = useCases;
  if (trackClick) {
    const names = 'sub1 sub2 sub3 sub4 sub5 uid source_id transaction_id'.split(' ');
    const click = {
      offer_id: digits,
      affiliate_id: digits,
      ...Object.fromEntries(names.map((name) => [name, tracking])),
    };
    app.post<{ Body: Click }>(
      clickPath,
      answering(objectOf({ transaction_id: { type: 'string', pattern: '^([0-9a-f]{32})?$' } }), {
        body: {
          ...objectOf(click, ['offer_id', 'affiliate_id']),
          additionalProperties: false,
        },
      }),
      async (request) => ({
        transaction_id: visitorOf(request).secGpc ? '' : await trackClick(request.body),
      }),
    );
  }

  if (visitorStateHeader !== undefined) {
    app.get(
      visitorStatePath,
      answering(objectOf({ state: string })),
      async (request, reply): Promise<VisitorStateAnswer> => {
        reply.header('cache-control', 'no-store');
        return { state: stateOf(request, visitorStateHeader) };
      },
    );
  }

  // Accepts only a fixed list of texts from our own pages, so that it cannot relay other people's words.
  app.post<{ Body: { text: PageAlert } }>(
    sendSlackMessagePath,
    {
      config: { rateLimit: perMinute(ALERTS_PER_MINUTE) },
      schema: {
        body: {
          ...objectOf({ text: { type: 'string', enum: pageAlerts } }),
          additionalProperties: false,
        },
        response: { 204: { type: 'null' } },
      },
    },
    async (request, reply) => {
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') {
        return sendProblem(reply, 403, 'invalid_request');
      }
      useCases.tellOfPage(request.body.text);
      return reply.code(204).send();
    },
  );
};
