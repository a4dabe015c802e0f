import { expect } from '@playwright/test';

/** A lead as the ingest stand-in took it. */
export type IngestEffect = {
  readonly key: string;
  readonly count: number;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
};

function sandbox(path: string): string {
  return `${process.env.E2E_SANDBOX_URL}${path}`;
}

/** What the ingest stand-in received for a lead: each request's body, oldest first. */
export async function ingestBodies(leadId: string): Promise<Record<string, string>[]> {
  const answer = await fetch(sandbox(`/_sandbox/received?service=ingest&key=${leadId}`));
  const received = (await answer.json()) as { body: Record<string, string> }[];
  return received.map((request) => request.body);
}

/** Waits until the lead has had its effect at the ingest stand-in; fails unless that is exactly one. */
export async function expectDeliveredOnce(leadId: string): Promise<void> {
  const count = async () => {
    const answer = await fetch(sandbox(`/_sandbox/effects?service=ingest&key=${leadId}`));
    const effects = (await answer.json()) as IngestEffect[];
    return effects.map((effect) => effect.count);
  };
  await expect.poll(count, { timeout: 15_000, intervals: [50, 100, 250] }).toEqual([1]);
}

/** What the sandbox refused as against a wire format; empty when every request was right. */
export async function violations(): Promise<unknown[]> {
  return (await (await fetch(sandbox('/_sandbox/violations'))).json()) as unknown[];
}
