import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { landingOfForm, siteClick, storeSiteClick, withSiteClick } from './site-click.ts';

const PARAMETERS = 's1=abc&gclid=G1&sub5=click9&oid=5&ttclid=T1&utm_campaign=spring';
const CLICK = {
  sub_id: 'abc',
  gclid: 'G1',
  click_id: 'click9',
  oid: '5',
  ttclid: 'T1',
  utm_campaign: 'spring',
};

/** An app whose pages store the ad click, and return it with the result of `withSiteClick`. */
let app: FastifyInstance;
let cookie = '';
beforeEach(async () => {
  cookie = '';
  app = Fastify();
  app.get('/*', async (request, reply) => {
    const moved = withSiteClick(request);
    storeSiteClick(reply, 'https://site.example');
    return { click: siteClick(request), moved: moved ?? null };
  });
  app.post('/*', async (request) => landingOfForm(request, `https://site.example${request.url}`));
});
afterEach(() => app.close());

/** Requests a page with the cookie that the previous answer set. */
async function visit(url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers: { cookie, ...headers } });
  const [set] = [answer.headers['set-cookie'] ?? []].flat();
  if (set !== undefined) cookie = set.split(';')[0] ?? '';
  return { ...(answer.json() as { moved: string | null }), isSet: set !== undefined };
}
const storedClick = async () => (await app.inject({ url: '/', headers: { cookie } })).json().click;

it.each(['/', '/es/', '/contact/', '/car-accident-laws/texas/', '/survey/v4nv'])(
  'a click that lands on %s is added to each later survey URL and posted form',
  async (page) => {
    await visit(`${page}?${PARAMETERS}`);
    expect(await storedClick()).toEqual({ ...CLICK, landing_page: `https://site.example${page}` });
    const { moved, isSet } = await visit('/survey/v4nv?_ef_transaction_id=T9&lang=x');
    expect(isSet).toBe(false);
    const query = Object.fromEntries(new URLSearchParams(moved?.split('?')[1]));
    expect(query).toEqual({
      ...Object.fromEntries(new URLSearchParams(PARAMETERS)),
      _ef_transaction_id: 'T9',
      lang: 'x',
    });
    expect(await visit(moved ?? '')).toMatchObject({ moved: null, isSet: false });
    const form = await app.inject({ method: 'POST', url: '/survey/v4nv', headers: { cookie } });
    const landing = new URL(form.json().href);
    expect([landing.pathname, landing.searchParams.get('sub5')]).toEqual([page, 'click9']);
  },
);

it('the parameters of a new ad click replace the stored parameters', async () => {
  await visit(`/?${PARAMETERS}`);
  await visit('/survey/v4nv?_ef_transaction_id=T9');
  expect(await storedClick()).toMatchObject(CLICK);
  await visit('/contact/?gclid=G2');
  expect(await storedClick()).toEqual({
    gclid: 'G2',
    landing_page: 'https://site.example/contact/',
  });
});

it('a different ad click removes the cookie `call-number`', async () => {
  await visit(`/?${PARAMETERS}`);
  cookie = `${cookie}; call-number=1`;
  const ended = async (url: string) =>
    [(await app.inject({ url, headers: { cookie } })).headers['set-cookie'] ?? []]
      .flat()
      .some((set) => /^call-number=; Max-Age=0;/.test(set));
  expect(await ended(`/survey/v4nv?${PARAMETERS}`)).toBe(false);
  expect(await ended('/survey/v4nv?gclid=G2')).toBe(true);
});

it('a parameter with an unfilled placeholder is not stored', async () => {
  const headers = { referer: 'https://ads.example/a?email=a@mail.example' };
  await visit(`/?gclid=${'x'.repeat(500)}&s1={placement}`, headers);
  expect(await storedClick()).toEqual({
    gclid: 'x'.repeat(500),
    landing_page: 'https://site.example/',
    page_referer: 'https://ads.example/a',
  });
});

it('with the opt-out signal, the ids of advertising networks are not stored', async () => {
  await visit(`/?${PARAMETERS}&fbclid=F1`, { 'sec-gpc': '1' });
  const { ttclid: _, ...allowed } = CLICK;
  const landing_page = 'https://site.example/';
  expect(await storedClick()).toEqual({ ...allowed, fbclid: 'F1', landing_page });
});

it.each([
  'sub_id=1',
  'gclid=%7Bgclid%7D',
  'city=Austin&email=a%40mail.example&lp_key=x',
  'landing_page=javascript&oid=1%3B2',
  '%',
])('a cookie is ignored if the ad click’s parameters in the cookie are invalid', async (value) => {
  cookie = `site-click=${value === '%' ? value : encodeURIComponent(value)}`;
  expect(await visit('/survey/v4nv')).toEqual({ click: {}, moved: null, isSet: false });
});
