/** The stream of live events, as server-sent events. It holds no personal data. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ConsoleEvent } from '../../contract/console/work.ts';
import { createLiveEvents } from '../operators/live-events.ts';
import { sendProblem } from '../routes/problem.ts';
import type { ConsoleRoutes } from './context.ts';

/** How often to write something, so that proxies keep the stream open. */
const BEAT_MS = 5_000;
/** Tabs of one session, and of all. A browser has six connections to a host. */
const MOST_OF_SESSION = 5;
const MOST = 200;
/** A reader that is this far behind is cut; it connects again and asks for everything. */
const MOST_BUFFERED_BYTES = 64 * 1024;

type Stream = { readonly sessionId: string; readonly raw: ServerResponse };

export const eventsRoutes: ConsoleRoutes = async (app, { context }) => {
  const { copy, log } = context;
  // Lists read the copy, so they may ask again only once the change is there.
  const live = createLiveEvents({ client: copy.pool, log });
  const streams = new Set<Stream>();

  const beat = setInterval(() => {
    for (const { raw } of streams) raw.write(': still here\n\n');
  }, BEAT_MS).unref();

  app.addHook('preClose', async () => {
    clearInterval(beat);
    for (const { raw } of streams) raw.end();
  });

  const options = { config: { role: 'viewer' }, exposeHeadRoute: false } as const;
  app.get('/api/events', options, async (request, reply) => {
    const sessionId = request.session.id;
    const own = [...streams].filter((stream) => stream.sessionId === sessionId).length;
    if (own >= MOST_OF_SESSION || streams.size >= MOST) {
      const detail = 'Too many tabs follow the live events: this one asks again by itself.';
      return sendProblem(reply, 429, 'too_many_requests', detail);
    }
    const { raw } = reply.hijack();
    const stream = { sessionId, raw };
    streams.add(stream);
    const stop = live.listen((events) => {
      if (raw.writableLength > MOST_BUFFERED_BYTES) raw.destroy();
      else raw.write(events.map(frame).join(''));
    });
    raw.once('close', () => {
      stop();
      streams.delete(stream);
    });
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      // A proxy in front must not collect the events.
      'x-accel-buffering': 'no',
    });
    raw.write('retry: 3000\n\n');
    return reply;
  });
};

function frame(event: ConsoleEvent): string {
  return `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
}
