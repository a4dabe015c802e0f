import { expect } from '@playwright/test';
import type { DemoAddresses } from './demo.ts';

/** Returns the URLs of the demo that all tests share. */
export const demo = (): DemoAddresses => JSON.parse(process.env.E2E_DEMO ?? '{}') as DemoAddresses;

/** Returns the sandbox's answer to a request under `/_sandbox/`. */
export async function askSandbox<What>(path: string, { sandboxUrl } = demo()): Promise<What> {
  return (await (await fetch(`${sandboxUrl}/_sandbox/${path}`)).json()) as What;
}

/** Returns the bodies that the ingest service received for a lead, oldest first. */
export async function ingestBodies(leadId: string): Promise<Record<string, string>[]> {
  const received = await askSandbox<{ body: Record<string, string> }[]>(
    `received?service=ingest&key=${leadId}`,
  );
  return received.map((request) => request.body);
}

/** Waits until a service has accepted the lead. Throws if the service accepted the lead twice. */
export async function expectDeliveredOnce(
  leadId: string,
  service: string = 'ingest',
): Promise<void> {
  const count = async () => {
    const effects = await askSandbox<{ count: number }[]>(
      `effects?service=${service}&key=${leadId}`,
    );
    return effects.map((effect) => effect.count);
  };
  await expect.poll(count).toEqual([1]);
}

/** Waits for the lead's delivery, and returns the fields that the ingest service received. */
export async function deliveredLead(leadId: string): Promise<Record<string, string>> {
  await expectDeliveredOnce(leadId);
  const [body = {}] = await ingestBodies(leadId);
  return body;
}

/** Waits until a phone number has received an SMS code, and returns the newest code. */
export async function codeTo(number: string): Promise<string> {
  const codes = async () => {
    const sent = await askSandbox<{ to: string; code: string }[]>('codes');
    return sent.flatMap(({ to, code }) => (to === number ? [code] : []));
  };
  await expect.poll(codes).not.toEqual([]);
  return (await codes()).at(-1) as string;
}

/** Throws if a request broke a third party's wire format. */
export async function expectNoViolation(): Promise<void> {
  const violations = await askSandbox<unknown[]>('violations');
  if (violations.length > 0) throw new Error(`broken wire formats: ${JSON.stringify(violations)}`);
}

/** Waits until TrustedForm's stand-in finds all consent tags in the page of a lead's certificate. */
export async function expectTagged(lead: Readonly<Record<string, string>>): Promise<void> {
  type Retained = { key: string; detail: { verify?: string } };
  await expect
    .poll(async () => {
      const retained = await askSandbox<Retained[]>('effects?service=trustedform');
      return retained.find(({ key }) => key === lead.trusted_form_cert_id)?.detail.verify;
    })
    .toBe('success');
}
