/**
 * An example of an added destination: a buyer's case desk in one state. It posts JSON with a bearer token to
 * `{EXAMPLE_DESK_URL}/cases`. Any 2xx accepts the lead; repeating an `Idempotency-Key`, our lead id, changes nothing.
 * The lead needs consent and no opt-out signal.
 */
import * as v from 'valibot';
import {
  defineDestination,
  type SendRequest,
} from '../../../src/server/delivery/destinations/destination.ts';
import {
  type PayloadVersions,
  postConnection,
  readStatus,
} from '../../../src/server/delivery/destinations/http-send.ts';
import { address, optional, optionalSecret, text } from '../../../src/server/platform/variable.ts';

/** The data that the desk's request needs. Version 1 is stored with leads, so it must not change. */
function payloadV1({ isTest, fields }: Pick<SendRequest, 'isTest' | 'fields'>): string {
  const { first_name, last_name, phone, state, case_description } = fields;
  const client = { name: `${first_name} ${last_name}`.trim(), phone };
  return JSON.stringify({ test: isTest, client, state, story: case_description });
}
const payloads: PayloadVersions<typeof payloadV1> = { 1: payloadV1 };

export const caseDesk = defineDestination({
  name: 'case-desk',
  title: 'the case desk in New York',
  variables: {
    EXAMPLE_DESK_URL: optional(address, 'the http or https address of the desk'),
    EXAMPLE_DESK_TOKEN: optionalSecret(v.pipe(text, v.minLength(8)), 'the token of the desk'),
  },
  needs: ['EXAMPLE_DESK_URL', 'EXAMPLE_DESK_TOKEN'],
  whenOff: 'skip',
  permission: { consent: 'given', stopsAtOptOut: true },
  appliesTo: ({ qualified, fields }) => qualified && fields.state === 'NY',
  connect: ({ EXAMPLE_DESK_URL: url, EXAMPLE_DESK_TOKEN: token }, http) =>
    postConnection(http, {
      recognisesDuplicates: true,
      payloads,
      post: (payload, request) => ({
        url: `${url}/cases`,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': request.leadId,
        },
        body: payload(request),
        timeoutMs: 30_000,
        read: (answer) => readStatus(answer, { secrets: [token] }),
      }),
    }),
});
