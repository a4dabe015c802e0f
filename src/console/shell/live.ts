/** Follows the server's events and asks again for what they made stale. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ConsoleEvent } from '../../contract/console/work.ts';

/** `away`: the connection is lost; it is tried again. */
export type LiveStatus = 'connecting' | 'live' | 'away';

function staleAfter(event: ConsoleEvent): readonly string[] {
  switch (event.kind) {
    case 'numbers':
      return ['/api/overview', '/api/breakdown', '/api/funnels', '/api/surveys/experiments'];
    case 'lead':
      return [`/api/leads/${event.id}`, '/api/leads/newer', '/api/leads/count', '/api/now'];
    case 'delivery':
      return [`/api/leads/${event.leadId}`, '/api/deliveries', '/api/now'];
    case 'plan':
      return ['/api/plans'];
  }
}
const kinds: readonly ConsoleEvent['kind'][] = ['numbers', 'lead', 'delivery', 'plan'];

/** Under load many leads arrive in a second; the page shows them together. */
const flushMs = 2000;
const retryMs = 5000;
const hiddenMs = 30_000;

/** Asks again for stale requests, from time to time. A request that is still running is asked after it. */
function makeRefresher(client: QueryClient) {
  const stale = new Set<string>();
  const flush = () => {
    for (const path of stale) {
      const predicate = ({ queryKey: [key] }: { queryKey: readonly unknown[] }) =>
        typeof key === 'string' && key.startsWith(path);
      if (client.isFetching({ predicate }) > 0) continue;
      stale.delete(path);
      void client.invalidateQueries({ predicate });
    }
  };
  const timer = setInterval(flush, flushMs);
  return { stale, stop: () => clearInterval(timer) };
}

/**
 * Connects, and connects again after a pause. A page that is hidden for long lets go of its connection: browsers have
 * only six to a host, for all their tabs.
 *
 * @returns what ends it
 */
function follow(client: QueryClient, onStatus: (status: LiveStatus) => void): () => void {
  const refresher = makeRefresher(client);
  const ended = new AbortController();
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Events of a time without a connection are lost. */
  let isBehind = false;
  const disconnect = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const connect = () => {
    disconnect();
    source = new EventSource('/api/events');
    source.addEventListener('open', () => {
      if (isBehind) void client.invalidateQueries();
      isBehind = false;
      onStatus('live');
    });
    source.addEventListener('error', () => {
      disconnect();
      isBehind = true;
      onStatus('away');
      timer = setTimeout(connect, retryMs * (0.5 + Math.random()));
    });
    for (const kind of kinds) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        for (const path of staleAfter(JSON.parse(data))) refresher.stale.add(path);
      });
    }
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (!document.hidden) {
      if (source === undefined) connect();
      return;
    }
    timer = setTimeout(() => {
      disconnect();
      isBehind = true;
    }, hiddenMs);
  };
  const { signal } = ended;
  window.addEventListener('online', connect, { signal });
  document.addEventListener('visibilitychange', onVisibility, { signal });
  connect();
  return () => {
    ended.abort();
    disconnect();
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
  const queries = client.getQueryCache().getAll();
  return Math.max(0, ...queries.map(({ state }) => state.dataUpdatedAt));
}
