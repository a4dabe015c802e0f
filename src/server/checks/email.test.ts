import { describe, expect, it } from 'vitest';
import { createEmailCheck, type MailResolver } from './email.ts';

function dnsError(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(code), { code }));
}

function checking(resolver: Partial<MailResolver>, timeoutMs = 200, isClosed = false) {
  return createEmailCheck({
    looksUpMx: true,
    timeoutMs,
    resolver: {
      resolve4: () => dnsError('ENODATA'),
      resolve6: () => dnsError('ENODATA'),
      ...resolver,
      resolveMx: async (domain) =>
        domain === 'gmail.com' && !isClosed
          ? [{ exchange: 'mx.google' }]
          : (resolver.resolveMx?.(domain) ?? dnsError('ENODATA')),
    },
  });
}

describe('the embedded e-mail check', () => {
  it.each<[string, Partial<MailResolver>, boolean]>([
    ['a domain with a mail server', { resolveMx: async () => [{ exchange: 'mx.a' }] }, true],
    ['a domain that refuses all mail', { resolveMx: async () => [{ exchange: '' }] }, false],
    ['a domain that does not exist', { resolveMx: () => dnsError('ENOTFOUND') }, false],
    ['a domain with an address only', { resolve4: async () => ['192.0.2.1'] }, true],
    ['a domain with neither', {}, false],
    ['a name server that fails', { resolveMx: () => dnsError('ESERVFAIL') }, true],
    ['name servers that cannot be reached', { resolveMx: () => dnsError('ECONNREFUSED') }, true],
    ['an incomplete answer', { resolve4: () => dnsError('ETIMEOUT') }, true],
  ])('returns the expected result for %s', async (_, resolver, valid) => {
    expect(await checking(resolver)('maria@mail.example')).toEqual({ valid, disposable: false });
  });

  it('accepts the address if DNS does not answer in time', async () => {
    const check = checking({ resolveMx: () => new Promise(() => undefined) }, 30);
    expect(await check('maria@mail.example')).toEqual({ valid: true, disposable: false });
  });

  it('returns `disposable: true` for an e-mail address with a disposable domain', async () => {
    const check = createEmailCheck({ looksUpMx: false, timeoutMs: 100 });
    expect(await check('a@mailinator.com')).toEqual({ valid: true, disposable: true });
    expect(await check('a@any.0x01.gq')).toEqual({ valid: true, disposable: true });
    expect(await check('a@gmail.com')).toEqual({ valid: true, disposable: false });
  });
});
