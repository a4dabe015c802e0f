import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ThirdPartyScript } from '../../contract/third-party-scripts.ts';
import { addressWithTransactionId, newVisit } from '../../journey/visit.ts';
import { clickByScript, clickByServer, clickOf, hearOfClick } from './click-tracker.ts';
import type { ScriptContext, ScriptPart } from './follow-scripts.ts';
import { takeLeadidToken } from './leadid.ts';
import { takeCertificate } from './trusted-form.ts';
import { poll } from './wait.ts';

const transactionId = '0123456789abcdef0123456789abcdef';

/** As much of a page as the parts touch. */
class FakePage {
  readonly inputs: { type?: string; name?: string; id?: string; value: string }[] = [];
  readonly listeners = new Map<string, () => void>();
  address = 'https://site.example/survey/v4nv?s1=abc#x';
  /** What becomes of a script that is put into the page. */
  load = vi.fn<ScriptContext['page']['load']>(async () => true);
  phase: 'asking' | 'sending' = 'asking';
  readonly keepDrafts = vi.fn(async () => undefined);
  readonly told = vi.fn<ScriptContext['page']['tell']>();
  hear: ScriptContext['page']['tell'] = () => {};

  constructor() {
    const form = { append: (input: FakePage['inputs'][number]) => this.inputs.push(input) };
    vi.stubGlobal('document', {
      createElement: () => ({ value: '' }),
      querySelector: (selector: string) => (selector === '#survey form' ? form : null),
      getElementById: () => null,
    });
    vi.stubGlobal('window', {
      addEventListener: (type: string, listener: () => void) => this.listeners.set(type, listener),
    });
    const page = this;
    vi.stubGlobal('location', {
      get href() {
        return page.address;
      },
    });
    vi.stubGlobal('history', {
      state: { index: 1 },
      replaceState: (_: unknown, __: string, to: string) => {
        this.address = new URL(to, this.address).href;
      },
    });
  }

  context(query = '?s1=abc&sub2=two&uid=u7', affid = '389'): ScriptContext {
    const href = `https://site.example/survey/v4nv${query}`;
    return {
      page: {
        load: (...script) => this.load(...script),
        tell: this.told,
        onTold: (hear) => {
          this.hear = hear;
        },
        idle: (work) => work(),
        ready: Promise.resolve(),
        onTyping: () => undefined,
        optsOut: false,
      },
      runner: {
        getState: () => ({ at: 'AtFault', given: {}, phase: this.phase }),
        subscribe: () => undefined,
        keepDrafts: this.keepDrafts,
      },
      visit: newVisit('/survey/v4nv', { href, referrer: '', now: 0 }),
      survey: { offerId: 81 },
      affid,
      settings: { phoneDisplay: '', phoneHref: '' },
      withTransactionId: addressWithTransactionId,
    };
  }
}

let page: FakePage;
beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What a part brings, with as much time as it takes. */
async function brought(part: ScriptPart, script: Partial<ThirdPartyScript>, of: ScriptContext) {
  const done = part({ name: 'clickTracker', src: 'https://s.example/s.js', ...script }, of);
  await vi.advanceTimersByTimeAsync(60_000);
  return done;
}

describe('the click', () => {
  const withClick = (click: () => Promise<unknown>) => {
    const made = vi.fn(click);
    Object.assign(window, { EF: { click: made } });
    return made;
  };
  const script = { timeoutMs: 5000 };

  test('is told what the visitor came by, and its id takes our own’s place', async () => {
    const click = withClick(async () => transactionId);
    const of = page.context();
    await brought(clickByScript, script, of);
    expect(page.load).toHaveBeenCalledExactlyOnceWith('https://s.example/s.js');
    expect(click).toHaveBeenCalledExactlyOnceWith({
      offer_id: '81',
      affiliate_id: '389',
      sub1: 'abc',
      sub2: 'two',
      uid: 'u7',
    });
    expect(of.visit.tracking.ef_transaction_id).toBe(transactionId);
    expect(page.address).toBe(
      `https://site.example/survey/v4nv?s1=abc&_ef_transaction_id=${transactionId}#x`,
    );
  });

  test('is told to the other tabs when it is made, and with its id', async () => {
    withClick(async () => transactionId);
    const of = page.context();
    const { click_id } = of.visit.session;
    await brought(clickByScript, script, of);
    expect(page.told.mock.calls).toEqual([[{ click_id }], [{ click_id, id: transactionId }]]);
  });

  test('that another tab has made is not made again, and its id is taken', async () => {
    const click = withClick(async () => 'f'.repeat(32));
    const of = page.context();
    const { click_id } = of.visit.session;
    hearOfClick(of);
    page.hear({ click_id: 'another visit', id: 'e'.repeat(32) });
    page.hear({ click_id });
    page.hear({ click_id, id: transactionId });
    await brought(clickByScript, script, of);
    expect(click).not.toHaveBeenCalled();
    expect(of.visit.tracking.ef_transaction_id).toBe(transactionId);
    expect(page.address).toContain(`_ef_transaction_id=${transactionId}`);
  });

  test('of another tab changes nothing once the lead is on its way', () => {
    const of = page.context();
    const { click_id } = of.visit.session;
    hearOfClick(of);
    page.phase = 'sending';
    page.hear({ click_id, id: transactionId });
    expect(of.visit.tracking.ef_transaction_id).toBe(click_id);
  });

  test('is kept as made before it is made', async () => {
    let keptAt: string | undefined;
    const of = page.context();
    page.keepDrafts.mockImplementation(async () => {
      keptAt ??= of.visit.countedClick;
    });
    withClick(async () => {
      expect(keptAt).toBe(of.visit.session.click_id);
      return transactionId;
    });
    await brought(clickByScript, script, of);
    expect(keptAt).toBeDefined();
  });

  test('is not made twice: for a reload neither is its script asked for', async () => {
    const click = withClick(async () => transactionId);
    const of = page.context();
    await brought(clickByScript, script, of);
    await brought(clickByScript, script, of);
    expect(page.load).toHaveBeenCalledOnce();
    expect(click).toHaveBeenCalledOnce();
  });

  test('joins the one that the address brought, and never our own id', () => {
    const brings = page.context(`?_ef_transaction_id=${transactionId}`);
    expect(clickOf(brings)).toMatchObject({ transaction_id: transactionId });
    const also = page.context(`?transaction_id=${transactionId}`);
    expect(clickOf(also)).toMatchObject({ transaction_id: transactionId });
    expect(clickOf(page.context())).not.toHaveProperty('transaction_id');
  });

  test.each([
    ['never settles', () => new Promise(() => undefined)],
    ['settles too late', () => new Promise((resolve) => setTimeout(resolve, 5001, transactionId))],
    ['says rubbish', async () => 'x'],
    ['says nothing', async () => null],
  ])('that %s leaves our own id', async (_, click) => {
    withClick(click);
    const of = page.context();
    const own = of.visit.tracking.ef_transaction_id;
    await brought(clickByScript, script, of);
    expect(of.visit.tracking.ef_transaction_id).toBe(own);
    expect(page.address).not.toContain(transactionId);
  });

  test('is not made once the lead is on its way, nor is a late id taken then', async () => {
    const click = withClick(async () => {
      page.phase = 'sending';
      return transactionId;
    });
    const of = page.context();
    await brought(clickByScript, script, of);
    expect(of.visit.tracking.ef_transaction_id).not.toBe(transactionId);
    const later = page.context();
    await brought(clickByScript, script, later);
    expect(click).toHaveBeenCalledOnce();
    expect(later.visit.countedClick).toBeUndefined();
  });

  test('is still open where the script did not come, or left nothing', async () => {
    const of = page.context();
    page.load.mockResolvedValueOnce(false);
    await brought(clickByScript, script, of);
    await brought(clickByScript, script, of);
    expect(of.visit.countedClick).toBeUndefined();
  });

  test('earlier entries of the history get the id, too', async () => {
    withClick(async () => transactionId);
    await brought(clickByScript, script, page.context());
    page.address = 'https://site.example/survey/v4nv?_ef_transaction_id=own';
    page.listeners.get('popstate')?.();
    expect(page.address).toContain(transactionId);
  });

  test('is made by our server, told the same', async () => {
    const fetcher = vi.fn(async () => Response.json({ transaction_id: transactionId }));
    vi.stubGlobal('fetch', fetcher);
    const of = page.context();
    await brought(clickByServer, { ...script, src: '/api/click' }, of);
    await brought(clickByServer, { ...script, src: '/api/click' }, of);
    expect(fetcher).toHaveBeenCalledExactlyOnceWith(
      '/api/click',
      expect.objectContaining({
        method: 'POST',
        body: '{"offer_id":"81","affiliate_id":"389","sub1":"abc","sub2":"two","uid":"u7"}',
      }),
    );
    expect(of.visit.tracking.ef_transaction_id).toBe(transactionId);
    expect(page.load).not.toHaveBeenCalled();
  });
});

describe('TrustedForm', () => {
  const url = 'https://cert.trustedform.com/0123abcd';

  test('finds its hidden input in the form before it runs, and its certificate is taken', async () => {
    page.load.mockImplementation(async () => {
      expect(page.inputs).toMatchObject([
        { type: 'hidden', name: 'xxTrustedFormCertUrl', id: 'xxTrustedFormCertUrl_0' },
      ]);
      const [input] = page.inputs;
      setTimeout(() => {
        if (input) input.value = url;
      }, 300);
      return true;
    });
    expect(await brought(takeCertificate, {}, page.context())).toEqual({
      trustedform_cert_url: url,
      trusted_form_cert_id: '0123abcd',
    });
    expect(page.load.mock.calls[0]?.[0]).toMatch(
      /^https:\/\/s\.example\/s\.js\?field=xxTrustedFormCertUrl&use_tagged_consent=true&l=[\d.]{10,}$/,
    );
  });

  test.each(['', 'no address'])('that leaves "%s" brings nothing', async (value) => {
    page.load.mockImplementation(async () => {
      for (const input of page.inputs) input.value = value;
      return true;
    });
    expect(await brought(takeCertificate, {}, page.context())).toBeUndefined();
  });
});

describe('LeadiD', () => {
  const token = '0B1B6C0A-5D3C-4E0A-9A3C-1E4F0B7A2D11';

  test('is asked for by its id, and its token taken when it is there', async () => {
    page.load.mockImplementation(async (_, id) => {
      expect(id).toBe('LeadiDscript_campaign');
      const [input] = page.inputs;
      expect(input).toMatchObject({ name: 'universal_leadid', id: 'leadid_token' });
      if (input) input.value = 'loading';
      setTimeout(() => {
        if (input) input.value = token;
      }, 300);
      return true;
    });
    expect(await brought(takeLeadidToken, {}, page.context())).toEqual({ leadid_token: token });
  });

  test('that never fills it brings nothing', async () => {
    expect(await brought(takeLeadidToken, {}, page.context())).toBeUndefined();
  });
});

test('what is looked for is looked for at its pace, and no longer than its limit', async () => {
  const look = vi.fn(() => undefined);
  const found = poll(look, 50, 1000);
  await vi.advanceTimersByTimeAsync(499);
  expect(look).toHaveBeenCalledTimes(10);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await found).toBeUndefined();
  expect(look).toHaveBeenCalledTimes(21);
});
