import { expect } from '@playwright/test';

/** A lead accepted by the sandbox's ingest service. */
type IngestEffect = { readonly count: number };

/** Returns the sandbox's answer under `/_sandbox/`. */
export async function askSandbox<What>(path: string): Promise<What> {
  const answer = await fetch(`${process.env.E2E_SANDBOX_URL}/_sandbox/${path}`);
  return (await answer.json()) as What;
}

/** Returns the request bodies that the ingest service received for a lead, oldest first. */
export async function ingestBodies(leadId: string): Promise<Record<string, string>[]> {
  const received = await askSandbox<{ body: Record<string, string> }[]>(
    `received?service=ingest&key=${leadId}`,
  );
  return received.map((request) => request.body);
}

/** Waits until an ingest service has accepted the lead; fails unless it did so exactly once. */
export async function expectDeliveredOnce(leadId: string, service = 'ingest'): Promise<void> {
  const count = async () => {
    const effects = await askSandbox<IngestEffect[]>(`effects?service=${service}&key=${leadId}`);
    return effects.map((effect) => effect.count);
  };
  await expect.poll(count, { timeout: 60_000, intervals: [50, 100, 250] }).toEqual([1]);
}

/** Waits for the lead's delivery, and returns what the ingest service received. */
export async function deliveredLead(leadId: string): Promise<Record<string, string>> {
  await expectDeliveredOnce(leadId);
  const [body = {}] = await ingestBodies(leadId);
  return body;
}

/** Fails if a request broke a wire format. */
export async function expectNoViolation(): Promise<void> {
  const violations = await askSandbox<unknown[]>('violations');
  if (violations.length > 0) throw new Error(`broken wire formats: ${JSON.stringify(violations)}`);
}
