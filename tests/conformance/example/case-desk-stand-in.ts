import * as v from 'valibot';
import { act, refuse, type StandIn, takes } from '../../../sandbox/service.ts';

const token = 'the-token';
const schema = v.strictObject({
  test: v.boolean(),
  client: v.strictObject({ name: v.string(), phone: v.string() }),
  state: v.literal('NY'),
  story: v.string(),
});

/** Stands in for the case desk of case-desk.ts: `POST /desk/cases`. */
export const caseDeskStandIn: StandIn = ({ effect }) => {
  const post = takes('json', schema, ({ story }, { headers }) => {
    const key = String(headers['idempotency-key']);
    return act(() => {
      const isNew = effect({ service: 'case-desk', keys: [key], detail: { story } });
      return { status: 204, body: '', effect: isNew };
    }, key);
  });
  return {
    name: 'case-desk',
    title: 'Case desk',
    settings: (url) => ({ EXAMPLE_DESK_URL: `${url}/desk`, EXAMPLE_DESK_TOKEN: token }),
    routes: {
      'POST /desk/cases': (exchange) =>
        exchange.headers.authorization === `Bearer ${token}`
          ? post(exchange)
          : refuse('authorization: wrong', { status: 401, body: '' }),
    },
  };
};
