/** Asks for the list of leads page by page, for its count, and for the number of leads that are newer. */
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  LeadCountAnswer,
  LeadFilter,
  LeadListAnswer,
  LeadRowAnswer,
} from '../../../contract/console/leads.ts';
import { type ApiError, apiGet, useApi } from '../../api.ts';

const PAGE = 100;
/** Events say sooner that a lead has arrived, but before it is counted and in the list. */
const NEWER_EVERY_MS = 10_000;

/** The order of the list by arrival. */
export type LeadOrder = 'newest' | 'oldest';

type Pages = InfiniteData<LeadListAnswer, string>;
type Rows = {
  readonly rows: readonly LeadRowAnswer[];
  readonly first: string;
  readonly asOf: string | null;
};

/**
 * Asks for the list of a filter. Events do not refresh it, so that rows do not move while somebody reads them:
 * `refresh` does, when the operator presses the pill with the number of new leads.
 */
export function useLeadList(filter: LeadFilter, order: LeadOrder) {
  const client = useQueryClient();
  // The keys are no paths, by which events find what is stale.
  const queryKey = ['list of leads', filter, order] as const;
  const list = useInfiniteQuery<LeadListAnswer, ApiError, Rows, typeof queryKey, string>({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      apiGet<LeadListAnswer>(
        '/api/leads',
        { ...filter, order, limit: PAGE, after: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    select: rowsOf,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  const count = useQuery<LeadCountAnswer, ApiError>({
    queryKey: ['count of leads', filter],
    queryFn: ({ signal }) => apiGet<LeadCountAnswer>('/api/leads/count', filter, signal),
    placeholderData: keepPreviousData,
  });
  const newer = useApi<LeadCountAnswer>(
    '/api/leads/newer',
    { ...filter, after: list.data?.first },
    // Newer leads are at the end of the list that begins with the oldest.
    {
      enabled: list.data !== undefined && order === 'newest',
      refetchInterval: NEWER_EVERY_MS,
    },
  );
  const refresh = async () => {
    client.setQueryData<Pages>(queryKey, (data) => data && firstPage(data));
    await Promise.all([list.refetch(), count.refetch()]);
  };
  return { list, count, newer, refresh };
}

/** The answers of `useLeadList`. */
export type LeadList = ReturnType<typeof useLeadList>;

function rowsOf({ pages }: Pages): Rows {
  return {
    rows: pages.flatMap(({ rows }) => rows),
    first: pages[0]?.first ?? '',
    asOf: pages[0]?.asOf ?? null,
  };
}

function firstPage({ pages, pageParams }: Pages): Pages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}
