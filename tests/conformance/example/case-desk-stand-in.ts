import * as v from 'valibot';
import { act, judgeJson, refuse, type StandIn } from '../../../sandbox/service.ts';

const token = 'the-token';
const schema = v.strictObject({
  test: v.boolean(),
  client: v.strictObject({ name: v.string(), phone: v.string() }),
  state: v.literal('NY'),
  story: v.string(),
});

/** Imitates the case desk: `POST /desk/cases`. The destination's other file. */
export const caseDeskStandIn: StandIn = ({ effect }) => {
  const opened = new Map<string, number>();
  const post = judgeJson(schema, ({ story }, { headers }) => {
    const key = String(headers['idempotency-key']);
    return act(() => {
      const isNew = effect({
        service: 'case-desk',
        keys: [key],
        detail: { story },
        recognise: true,
      });
      if (!isNew) return { effect: false, answer: { status: 409, body: '' } };
      opened.set(key, opened.size + 1);
      return { effect: true, answer: { status: 201, body: { case: opened.get(key) } } };
    }, key);
  });
  return {
    name: 'case-desk',
    title: 'Case desk',
    settings: (url) => ({ EXAMPLE_DESK_URL: `${url}/desk`, EXAMPLE_DESK_TOKEN: token }),
    routes: [
      {
        method: 'POST',
        path: '/desk/cases',
        handle: (exchange) =>
          exchange.headers.authorization === `Bearer ${token}`
            ? post(exchange)
            : refuse('authorization: wrong', { status: 401, body: '' }),
      },
    ],
    reset: () => opened.clear(),
  };
};
