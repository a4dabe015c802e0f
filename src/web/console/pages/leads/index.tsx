import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import type {
  LeadCountAnswer,
  LeadFilter,
  LeadListAnswer,
} from '../../../../model/messages/console/leads.ts';
import { ApiError, apiGet, polled, useApi, useMay } from '../../api.ts';
import { capital, count, exactTime, timeOfDay } from '../../format.ts';
import { Go, useAddress, useGo } from '../../parts/address.tsx';
import { Button } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { DataTable } from '../../parts/table.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { BulkBar, ExportDialog, type Selection } from './actions.tsx';
import { boxColumn, leadColumns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { addressOfFilter, countText, filterOfAddress } from './filters.ts';
import './leads.css';

type Order = 'newest' | 'oldest';
const LIMIT = 100;
/** Arrivals are in the list within seconds; after this they are late. */
const LATE_MS = 120_000;

export default function LeadsPage() {
  const [address, change] = useAddress();
  const canAct = useMay('operator');
  const filter = filterOfAddress(address);
  const order = address.order === 'oldest' ? 'oldest' : 'newest';
  const leads = useLeads(filter, order);
  const setFilter = (next: LeadFilter) => change(addressOfFilter(next), true);
  return (
    <Page title="Leads" summary={summaryOf(leads.count, filter, order)}>
      <div className="row spread">
        <FilterBar filter={filter} onChange={setFilter} />
        {canAct && <ExportDialog filter={filter} matching={leads.count.data} />}
      </div>
      <Results
        // Another filter is another list, with a selection of its own.
        key={JSON.stringify([filter, order])}
        filter={filter}
        leads={leads}
        canAct={canAct}
        order={order}
        onOrder={() => change({ order: order === 'newest' ? 'oldest' : undefined }, true)}
      />
    </Page>
  );
}

/**
 * Asks for the list of a filter page by page, for its count, and for the number of newer leads. Events do not refresh
 * the list, so that rows do not move while somebody reads them: `refresh` does.
 */
function useLeads(filter: LeadFilter, order: Order) {
  const client = useQueryClient();
  // The keys are no paths, by which events find what is stale.
  const queryKey = ['list of leads', filter, order] as const;
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      apiGet<LeadListAnswer>(
        '/api/leads',
        { ...filter, order, limit: LIMIT, after: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  const counted = useQuery({
    queryKey: ['count of leads', filter],
    queryFn: ({ signal }) => apiGet<LeadCountAnswer>('/api/leads/count', filter, signal),
    placeholderData: keepPreviousData,
  });
  const newer = useApi<LeadCountAnswer>(
    '/api/leads/newer',
    { ...filter, after: list.data?.pages[0]?.first },
    // Newer leads are at the end of the list that begins with the oldest.
    { enabled: list.data !== undefined && order === 'newest', ...polled },
  );
  const refresh = async () => {
    client.setQueryData<InfiniteData<LeadListAnswer>>(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    await Promise.all([list.refetch(), counted.refetch()]);
  };
  return { list, count: counted, newer, refresh };
}

type Leads = ReturnType<typeof useLeads>;

function summaryOf({ data, error }: Leads['count'], filter: LeadFilter, order: Order): string[] {
  if (error instanceof ApiError && error.status === 400) {
    return ['Not searchable: try a phone number, an e-mail address or a last name.'];
  }
  if (error) return ['The number of leads is not known.'];
  if (data === undefined) return ['Counting the leads…'];
  if (data.count === 0 && data.isExact) return ['No leads.'];
  const verb = data.count === 1 ? 'matches' : 'match';
  const words = Object.keys(filter).length > 0 ? `${countText(data)} ${verb}` : countText(data);
  return [`${capital(words)}, ${order} first.`];
}

type ResultsProps = {
  readonly filter: LeadFilter;
  readonly leads: Leads;
  readonly canAct: boolean;
  readonly order: Order;
  readonly onOrder: () => void;
};

function Results({ filter, leads, canAct, order, onOrder }: ResultsProps) {
  const { list } = leads;
  const isFiltered = Object.keys(filter).length > 0;
  const [selection, setSelection] = useState<Selection>(new Set());
  const go = useGo();
  const ids = list.data?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)) ?? [];
  const box = boxColumn(ids, selection, setSelection);
  const received = (
    <button type="button" className="sort" onClick={onOrder}>
      Received
      <span className="visually-hidden">, {order} first</span>
      <Icon name={order === 'newest' ? 'down' : 'up'} />
    </button>
  );
  const columns = leadColumns.map((column) =>
    column.header === 'Received' ? { ...column, head: received } : column,
  );
  return (
    <>
      <Panel
        className="leads"
        query={list}
        rows={16}
        isEmpty={({ pages }) => !list.hasNextPage && pages.every(({ rows }) => rows.length === 0)}
        empty={
          isFiltered ? (
            'No lead matches. Check the spelling, or remove a filter.'
          ) : (
            <>
              No leads yet. A lead appears here seconds after a visitor presses the last button;
              test leads with the filter “Test leads”. <Go to="/surveys">Try a survey</Go>
            </>
          )
        }
      >
        {({ pages }) => (
          <div className="leads-scroll">
            <DataTable
              label="Leads"
              columns={canAct ? [box, ...columns] : columns}
              rows={pages.flatMap(({ rows }) => rows)}
              onRow={({ id }) => go(`/leads/${id}`)}
            />
            {list.hasNextPage && (
              <div className="pages row">
                <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetching}>
                  More leads
                </Button>
              </div>
            )}
          </div>
        )}
      </Panel>
      <BulkBar
        selection={selection}
        filter={filter}
        onSelect={setSelection}
        matching={leads.count.data}
      />
      {list.data && <Foot leads={leads} />}
    </>
  );
}

/** Says how new the list is, and quietly that there are newer leads. The list changes only when it is pressed. */
function Foot({ leads: { list, newer, refresh } }: { readonly leads: Leads }) {
  const timeZone = useTimeZone();
  const asOf = list.data?.pages[0]?.asOf ?? null;
  const isLate = asOf !== null && list.dataUpdatedAt - Date.parse(asOf) > LATE_MS;
  const { count: more = 0, isExact = true } = newer.data ?? {};
  return (
    <footer className="leads-foot row spread fine">
      <span className="quiet" title={asOf === null ? undefined : exactTime(asOf, timeZone)}>
        {asOf === null ? 'No lead has been counted yet.' : `As of ${timeOfDay(asOf, timeZone)}.`}
        {isLate && ' The counting is behind: leads that arrived later are missing.'}
      </span>
      <span role="status">
        {more > 0 && (
          <Button
            tone="primary"
            icon="up"
            onPress={() => void refresh()}
            isPending={list.isRefetching}
          >
            {isExact ? count(more) : `More than ${count(more)}`} new {more === 1 ? 'lead' : 'leads'}
          </Button>
        )}
      </span>
      <button type="button" className="text-link" onClick={() => void refresh()}>
        Refresh
      </button>
    </footer>
  );
}
