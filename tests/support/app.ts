import type { FastifyInstance } from 'fastify';
import { expect, type Mock, onTestFinished, vi } from 'vitest';
import type { UseCases } from '../../src/server/http/use-cases.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { type AppOptions, buildApp } from '../../src/server/wiring/app.ts';
import { createLog } from '../../src/server/wiring/log.ts';
import { testLead, testSecret } from './leads.ts';

/** The lead id in `testLead()`. */
export const leadId = String(testLead().lead_id);

const answers: UseCases = {
  acceptLead: async (body) => ({
    lead_id: String(body.lead_id),
    revision: 1,
    qualified: 'yes',
    dq_reason: '',
  }),
  saveProgress: async () => ({ userBackupStatus: true, userProgressionStatus: true }),
  checkZip: async (zip) => ({ zip, city: 'C', state: 'FL', state_long: 'Florida', county: 'D' }),
  checkPhone: async () => ({ valid: true, active: true }),
  checkEmail: async () => ({ blocked: false }),
  verifyPhone: async () => ({ status: 'pending', sent: true }),
  checkText: async () => ({ is_gibberish: 'no', bad_words: 'no' }),
  mapLead: async () => ({ mapped: true }),
  findBuyers: async () => ({ consent: 'no', timeout: 'no', buyers: [] }),
  estimate: async () => ({ compLevel: 3 }),
  checkPrefill: async () => false,
  takeContactForm: async () => ({
    wrong: [],
    doubtful: [],
    asked: '',
    lead: { id: leadId, secret: testSecret },
  }),
  takeStop: async () => undefined,
  takeOutcome: async () => ({ stored: 1, repeated: 0, unknown: 0 }),
  takeOptOut: async () => ({ wrong: [], reference: 'A1', at: new Date() }),
  countSpeed: async () => true,
  sendPageAlert: () => undefined,
  surveyForms: { take: async () => undefined, show: async () => undefined },
  isReady: async () => true,
};

type Spied = {
  [Name in keyof UseCases]: UseCases[Name] extends (...args: never[]) => unknown
    ? Mock<UseCases[Name]>
    : UseCases[Name];
};

/** Builds the HTTP server with stub use cases for one test. */
export async function testApp(
  options: {
    useCases?: Partial<UseCases>;
    env?: NodeJS.ProcessEnv;
    connections?: AppOptions['connections'];
    requestTimeoutMs?: number;
    stopTimeoutMs?: number;
    site?: AppOptions['site'];
  } = {},
) {
  const { env = {}, useCases: given, site, ...others } = options;
  const lines: string[] = [];
  const useCases = Object.fromEntries(
    Object.entries({ ...answers, ...given }).map(([name, call]) => [
      name,
      typeof call === 'function' ? vi.fn(call as () => unknown) : call,
    ]),
  ) as unknown as Spied;
  const app = await buildApp({
    settings: parseSettings({ MEMORY_CEILING_MB: '1000000', ...env }),
    useCases: useCases as UseCases,
    log: await createLog('trace', { write: (line) => lines.push(line) }),
    // Turns off the refusal of requests under load, because other tests may block the event loop.
    maxEventLoopDelayMs: 0,
    ...(site && { site }),
    ...others,
  });
  onTestFinished(() => app.close());
  const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  return { app, post, lines, useCases };
}

export type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

/** Expects a response with problem details (RFC 9457). */
export function expectProblem(answer: Answer, status: number, reason: string): void {
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const problem = { type: 'about:blank', status, reason, title: expect.any(String) };
  expect(answer.json()).toMatchObject(problem);
  expect(answer.statusCode).toBe(status);
}
