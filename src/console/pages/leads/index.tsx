/** The list of leads. */
import './controls.css';
import './leads.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import { type ApiError, useMay } from '../../api.ts';
import { capital, count, exactTime, timeOfDay } from '../../format.ts';
import { Button } from '../../parts/controls.tsx';
import { Go } from '../../parts/link.tsx';
import { Empty, Page } from '../../parts/page.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { countText } from './count-text.ts';
import { ExportDialog } from './export-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { addressWith, filterOfAddress } from './filters.ts';
import { LeadTable, LeadTableSkeleton } from './lead-table.tsx';
import { useSelection } from './selection.ts';
import { type LeadList, type LeadOrder, useLeadList } from './use-leads.ts';

/** Draws the page of the list. The address holds the filter. */
export default function LeadsPage() {
  const address: Readonly<Record<string, string>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const canAct = useMay('operator');
  const filter = filterOfAddress(address);
  const order = address.order === 'oldest' ? 'oldest' : 'newest';
  const leads = useLeadList(filter, order);
  const setFilter = (next: LeadFilter) => {
    const search = (now: Readonly<Record<string, string>>) => addressWith(now, next);
    void navigate({ to: '.', search: search as never });
  };
  const setOrder = (next: LeadOrder) => {
    const search = (now: object) => ({ ...now, order: next === 'oldest' ? next : undefined });
    void navigate({ to: '.', search: search as never });
  };
  return (
    <Page title="Leads" summary={summaryOf(leads, filter, order)}>
      <div className="leads-controls">
        <FilterBar filter={filter} onChange={setFilter} />
        {canAct && <ExportDialog filter={filter} matching={leads.count.data} />}
      </div>
      <Results
        // Another filter is another list, with a selection of its own.
        key={JSON.stringify([filter, order])}
        filter={filter}
        leads={leads}
        canAct={canAct}
        onFilter={setFilter}
        order={order}
        onOrder={setOrder}
      />
    </Page>
  );
}

function summaryOf({ count: counted }: LeadList, filter: LeadFilter, order: LeadOrder): string[] {
  if (isUnsearchable(counted.error)) return [UNSEARCHABLE];
  if (counted.error) return ['The number of leads is not known.'];
  if (counted.data === undefined) return ['Counting the leads…'];
  if (counted.data.count === 0 && counted.data.isExact) return ['No leads.'];
  const text = countText(counted.data);
  const verb = counted.data.count === 1 ? 'matches' : 'match';
  const words = Object.keys(filter).length > 0 ? `${text} ${verb}` : text;
  return [`${capital(words)}, ${order} first.`];
}

const UNSEARCHABLE = 'Not searchable: try a phone number, an e-mail address or a last name.';

/** Returns whether the server refused what was asked for. */
function isUnsearchable(error: ApiError | null): boolean {
  return error?.status === 400;
}

type ResultsProps = {
  readonly filter: LeadFilter;
  readonly leads: LeadList;
  readonly canAct: boolean;
  readonly onFilter: (filter: LeadFilter) => void;
  readonly order: LeadOrder;
  readonly onOrder: (order: LeadOrder) => void;
};

function Results({ filter, leads, canAct, onFilter, order, onOrder }: ResultsProps) {
  const { list, count: counted } = leads;
  const selection = useSelection();
  const [refreshes, setRefreshes] = useState(0);
  const refresh = () => {
    void leads.refresh().then(() => setRefreshes((times) => times + 1));
  };
  const rows = list.data?.rows ?? [];
  const more = () => {
    if (!list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage();
  };
  return (
    <section className="card leads-card" aria-label="List of leads">
      <Pill leads={leads} onRefresh={refresh} />
      {list.data === undefined ? (
        <Waiting list={list} />
      ) : rows.length === 0 && !list.hasNextPage ? (
        <NoLeads filter={filter} onFilter={onFilter} />
      ) : (
        <LeadTable
          rows={rows}
          hasMore={list.hasNextPage}
          onMore={more}
          selection={selection}
          canSelect={canAct}
          order={order}
          onOrder={onOrder}
          name={JSON.stringify([filter, order])}
          refreshes={refreshes}
        />
      )}
      {list.isFetchNextPageError && (
        <div className="failure" role="alert">
          <p>
            <strong>More leads could not be loaded.</strong> {list.error?.message}
          </p>
          <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetching}>
            Try again
          </Button>
        </div>
      )}
      <BulkBar selection={selection} filter={filter} matching={counted.data} />
      {list.data !== undefined && <Foot leads={leads} onRefresh={refresh} />}
    </section>
  );
}

type LiveProps = { readonly leads: LeadList; readonly onRefresh: () => void };

/** Says quietly that there are new leads. The list changes only when it is pressed. */
function Pill({ leads, onRefresh }: LiveProps) {
  const newer = leads.newer.data;
  return (
    <div className="leads-pill" role="status">
      {newer !== undefined && newer.count > 0 && (
        <Button tone="primary" onPress={onRefresh} isPending={leads.list.isRefetching} icon="up">
          {newer.isExact ? count(newer.count) : `More than ${count(newer.count)}`} new{' '}
          {newer.count === 1 ? 'lead' : 'leads'}
        </Button>
      )}
    </div>
  );
}

/** Arrivals are in the list within seconds; after this they are late. */
const LATE_MS = 120_000;

function Foot({ leads, onRefresh }: LiveProps) {
  const timeZone = useTimeZone();
  const { list } = leads;
  const asOf = list.data?.asOf ?? null;
  const isLate = asOf !== null && list.dataUpdatedAt - Date.parse(asOf) > LATE_MS;
  return (
    <footer className="leads-foot" data-late={isLate}>
      {asOf === null ? (
        <span>No lead has been counted yet.</span>
      ) : (
        <span title={exactTime(asOf, timeZone)}>
          As of {timeOfDay(asOf, timeZone)}.
          {isLate && ' The counting is behind: leads that arrived later are missing.'}
        </span>
      )}
      <button type="button" className="text-link" onClick={onRefresh}>
        Refresh
      </button>
    </footer>
  );
}

function Waiting({ list }: Pick<LeadList, 'list'>) {
  if (list.error) {
    return (
      <div className="failure" role="alert">
        <p>
          <strong>
            {isUnsearchable(list.error) ? UNSEARCHABLE : 'The list could not be loaded.'}
          </strong>{' '}
          {list.error.message}
        </p>
        <Button onPress={() => void list.refetch()} isPending={list.isFetching}>
          Try again
        </Button>
      </div>
    );
  }
  if (list.fetchStatus === 'paused') {
    return <Empty>You are offline. The list loads when the connection is back.</Empty>;
  }
  return <LeadTableSkeleton />;
}

type NoLeadsProps = {
  readonly filter: LeadFilter;
  readonly onFilter: (filter: LeadFilter) => void;
};

function NoLeads({ filter, onFilter }: NoLeadsProps) {
  const { q, tests } = filter;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Empty>
      <p>
        <strong>{isFiltered ? 'No lead matches.' : 'No leads yet.'}</strong>{' '}
        {!isFiltered && 'A lead appears here seconds after a visitor presses the last button.'}
        {q !== undefined && 'Check the spelling, or search for the phone number.'}
      </p>
      <p className="leads-empty-ways">
        {isFiltered && <Button onPress={() => onFilter({})}>Clear all filters</Button>}
        {tests === undefined && (
          <Button onPress={() => onFilter({ ...filter, tests: 'with' })}>
            Show test leads too
          </Button>
        )}
        {!isFiltered && (
          <Go to="/surveys" className="text-link">
            Try a survey
          </Go>
        )}
      </p>
    </Empty>
  );
}
