/** Follows the server's events and asks again for what they made stale. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ConsoleEvent } from '../../contract/console/work.ts';

/** `away`: the connection is lost; it is tried again. */
export type LiveStatus = 'connecting' | 'live' | 'away';

/** The requests that an event makes stale, by the start of their path. */
const staleAfter: Readonly<Record<ConsoleEvent['kind'], readonly string[]>> = {
  numbers: ['/api/overview', '/api/breakdown', '/api/funnels', '/api/experiments'],
  lead: ['/api/leads', '/api/now'],
  delivery: ['/api/leads', '/api/deliveries', '/api/now'],
  plan: ['/api/plans'],
};
const kinds = Object.keys(staleAfter) as ConsoleEvent['kind'][];

const flushMs = 1000;
const firstRetryMs = 1000;
const mostRetryMs = 30_000;

/** Asks again for stale requests, at most once a second. A request that is still running is asked after it. */
function makeRefresher(client: QueryClient) {
  let stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const paths = [...stale];
    stale = new Set();
    for (const path of paths) {
      const predicate = ({ queryKey: [key] }: { queryKey: readonly unknown[] }) =>
        typeof key === 'string' && key.startsWith(path);
      if (client.isFetching({ predicate }) > 0) mark([path]);
      else void client.invalidateQueries({ predicate });
    }
  };
  const mark = (paths: readonly string[]) => {
    for (const path of paths) stale.add(path);
    timer ??= setTimeout(flush, flushMs);
  };
  return { mark, stop: () => clearTimeout(timer) };
}

/** Connects, and connects again with growing pauses. Returns what ends it. */
function follow(client: QueryClient, onStatus: (status: LiveStatus) => void): () => void {
  const refresher = makeRefresher(client);
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const connect = () => {
    source = new EventSource('/api/events');
    source.addEventListener('open', () => {
      // Events of the time without a connection are lost.
      if (failures > 0) void client.invalidateQueries();
      failures = 0;
      onStatus('live');
    });
    source.addEventListener('error', () => {
      source?.close();
      onStatus('away');
      const pause = Math.min(mostRetryMs, firstRetryMs * 2 ** failures);
      failures += 1;
      timer = setTimeout(connect, pause * (0.5 + Math.random() / 2));
    });
    for (const kind of kinds) {
      source.addEventListener(kind, () => refresher.mark(staleAfter[kind]));
    }
  };
  const connectNow = () => {
    source?.close();
    clearTimeout(timer);
    connect();
  };
  connect();
  window.addEventListener('online', connectNow);
  return () => {
    window.removeEventListener('online', connectNow);
    source?.close();
    clearTimeout(timer);
    refresher.stop();
  };
}

/** Follows the events while the frame is shown. */
export function useLive(): LiveStatus {
  const client = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>('connecting');
  useEffect(() => follow(client, setStatus), [client]);
  return status;
}

/** Returns when the newest data on the page arrived, in milliseconds; 0 if there is none. */
export function newestData(client: QueryClient): number {
  return Math.max(
    0,
    ...client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.dataUpdatedAt),
  );
}
