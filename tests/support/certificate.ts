import type { Sandbox } from '../../sandbox/server.ts';

/** Returns the address of a TrustedForm certificate that the sandbox has just issued, as a page gets it. */
export async function issuedCertificate({ url }: Pick<Sandbox, 'url'>): Promise<string> {
  const query = new URLSearchParams({
    field: 'xxTrustedFormCertUrl',
    use_tagged_consent: 'true',
    l: `${Date.now()}.123`,
  });
  const script = await (await fetch(`${url}/trustedform.js?${query}`)).text();
  const [path] = /\/[0-9a-f]{40}/.exec(script) ?? [];
  if (path === undefined) throw new Error('The script names no certificate');
  return url + path;
}
