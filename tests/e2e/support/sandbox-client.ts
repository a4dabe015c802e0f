import { expect } from '@playwright/test';

/** A lead accepted by the sandbox's ingest service. */
export type IngestEffect = {
  readonly key: string;
  readonly count: number;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
};

function sandbox(path: string): string {
  return `${process.env.E2E_SANDBOX_URL}${path}`;
}

/** Returns the request bodies that the ingest service received for a lead, oldest first. */
export async function ingestBodies(leadId: string): Promise<Record<string, string>[]> {
  const answer = await fetch(sandbox(`/_sandbox/received?service=ingest&key=${leadId}`));
  const received = (await answer.json()) as { body: Record<string, string> }[];
  return received.map((request) => request.body);
}

/** Waits until the ingest service has accepted the lead; fails unless it did so exactly once. */
export async function expectDeliveredOnce(leadId: string): Promise<void> {
  const count = async () => {
    const answer = await fetch(sandbox(`/_sandbox/effects?service=ingest&key=${leadId}`));
    const effects = (await answer.json()) as IngestEffect[];
    return effects.map((effect) => effect.count);
  };
  await expect.poll(count, { timeout: 15_000, intervals: [50, 100, 250] }).toEqual([1]);
}

/** Returns the requests that broke a wire format. */
export async function violations(): Promise<unknown[]> {
  return (await (await fetch(sandbox('/_sandbox/violations'))).json()) as unknown[];
}
