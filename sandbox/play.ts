import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, type Failures, privateLocation } from './failures.ts';
import type { ReceivedRequest } from './journal.ts';
import type { Answer, Service, Verdict } from './service.ts';

const defaultSlowMs = 2_000;
/** In characters: far more than any caller should read. */
const largeBody = 1_000_000;

function failureAnswer(service: Service, failure: Failure): Answer {
  const bodies = service.failureBodies ?? {};
  switch (failure.mode) {
    case '429':
      return {
        status: 429,
        headers: { 'retry-after': String(failure.retry_after ?? 1) },
        body: bodies['429'] ?? { error: 'Too Many Requests' },
      };
    case '410':
      return { status: 410, body: bodies['410'] ?? { error: 'Gone' } };
    case 'credentials':
    case 'account_closed':
    case 'cap_reached':
      return bodies[failure.mode] === undefined
        ? { status: 401, body: { error: 'Unauthorized' } }
        : { status: 200, body: bodies[failure.mode] };
    case 'duplicate':
      return bodies.duplicate === undefined
        ? { status: 409, body: { error: 'Duplicate' } }
        : { status: 200, body: bodies.duplicate };
    case 'garbage':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!doctype html><html><body><h1>It works!</h1>{"status":',
      };
    case 'too_large':
      return { status: 200, body: { padding: 'x'.repeat(largeBody) } };
    case 'redirect':
      return {
        status: 302,
        headers: { location: failure.location ?? privateLocation },
        body: '',
      };
    default:
      return { status: 500, body: bodies['500'] ?? { error: 'Internal Server Error' } };
  }
}

/**
 * Waits for the delay or the failure's end, whichever is first.
 * @returns whether the caller is still connected
 */
function pause(
  request: FastifyRequest,
  delayMs: number,
  onClear: (end: () => void) => () => void,
): Promise<boolean> {
  if (delayMs === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = request.raw.socket;
    const stop = (isThere: boolean) => {
      clearTimeout(timer);
      forget();
      socket.off('close', gone);
      resolve(isThere);
    };
    const gone = () => stop(false);
    const timer = setTimeout(() => stop(true), delayMs);
    const forget = onClear(() => stop(true));
    socket.once('close', gone);
  });
}

function send(service: Service, entry: ReceivedRequest, reply: FastifyReply, answer: Answer): void {
  entry.answer = { status: answer.status, body: answer.body };
  reply.code(answer.status);
  if (service.calledFromPages) reply.header('access-control-allow-origin', '*');
  const isPlain = typeof answer.body === 'string' || Buffer.isBuffer(answer.body);
  const type = isPlain ? 'text/plain; charset=utf-8' : 'application/json';
  reply.header('content-type', type).headers(answer.headers ?? {});
  reply.send(isPlain ? answer.body : JSON.stringify(answer.body));
}

/** Leaves the request without an answer until the caller's own time-out. */
function hang(reply: FastifyReply): void {
  reply.hijack();
}

function reset(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.socket.resetAndDestroy();
}

/**
 * Answers a judged request, or simulates the active failure of its service.
 * @param failures the active failures, which can release a delayed answer
 */
export async function play(
  service: Service,
  verdict: Verdict,
  failures: Failures,
  entry: ReceivedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const failure = failures.take(service.name);
  if (!failure) {
    const served = verdict.serve();
    entry.effect = served.effect;
    send(service, entry, reply, served.answer);
    return;
  }

  entry.failure = failure.mode;
  const accepts = failure.mode === 'slow' || failure.mode.startsWith('accept_');
  const served = accepts ? verdict.serve() : undefined;
  if (served) entry.effect = served.effect;

  const delayMs = failure.delay_ms ?? (failure.mode === 'slow' ? defaultSlowMs : 0);
  const stillThere = await pause(request, delayMs, (end) => failures.onClear(service.name, end));
  if (!stillThere || failure.mode === 'timeout' || failure.mode === 'accept_then_hang') {
    hang(reply);
  } else if (failure.mode === 'reset' || failure.mode === 'accept_then_reset') {
    reset(request, reply);
  } else {
    send(service, entry, reply, served ? served.answer : failureAnswer(service, failure));
  }
}
