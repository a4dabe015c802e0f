import type { Sandbox } from '../../sandbox/server.ts';

/** Makes the sandbox issue a TrustedForm certificate, and returns the certificate's URL. */
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
