import { leadSecretHeader } from '../../../model/messages/lead.ts';

export type Answer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'network-error';
type Sent = { path: string; body: Record<string, unknown>; secret: string | null };

/** Answers every post and save with a confirmation. */
export function confirm({ path, body }: Sent): Answer {
  const saved = { userBackupStatus: true, userProgressionStatus: true };
  return { status: 200, body: path === '/post-lead' ? { lead_id: body.lead_id } : saved };
}

/** A fake server that records each request and calls `answer` for the reply. */
export class FakeServer {
  readonly sent: Sent[] = [];
  answer: (sent: Sent) => Answer | Promise<Answer> = confirm;

  readonly fetch = (async (path: string, init: RequestInit) => {
    const secret = new Headers(init.headers).get(leadSecretHeader);
    const sent = { path, body: JSON.parse(init.body as string), secret };
    this.sent.push(sent);
    const answer = await this.answer(sent);
    if (answer === 'network-error') throw new TypeError('Failed to fetch');
    const { status, body = {}, headers = {} } = answer;
    return new Response(JSON.stringify(body), { status, headers });
  }) as typeof fetch;

  get posts(): Sent[] {
    return this.sent.filter(({ path }) => path === '/post-lead');
  }

  get saves(): Sent[] {
    return this.sent.filter(({ path }) => path === '/api/save-data');
  }
}
