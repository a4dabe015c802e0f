import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  LeadCountAnswer,
  LeadFilter,
  LeadListAnswer,
} from '../../../../model/messages/console/leads.ts';
import type {
  LeadExportRequest,
  PlanRequest,
} from '../../../../model/messages/console/requests.ts';
import {
  type Plan,
  type PlanAction,
  planActions,
} from '../../../../model/messages/console/work.ts';
import { apiPost, polled, saveFile, useApi, useMay } from '../../api.ts';
import { capital, counted, timeOfDay } from '../../format.ts';
import { Go, useGo, useUrlQuery } from '../../parts/address.tsx';
import { Button, Select } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { ListPanel } from '../../parts/table.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { boxColumn, leadColumns, type Selection } from './columns.tsx';
import { FilterBar, filterOfQuery, queryOfFilter } from './filter.tsx';

const orders = [
  { id: 'newest', label: 'Newest first' },
  { id: 'oldest', label: 'Oldest first' },
];

export default function LeadsPage() {
  const [address, change] = useUrlQuery();
  const canAct = useMay('operator');
  const filter = filterOfQuery(address);
  const order = address.order === 'oldest' ? 'oldest' : 'newest';
  const counting = useApi<LeadCountAnswer>('/api/leads/count', filter);
  const matching = countText(counting.data);
  return (
    <Page title="Leads" summary={[counting.error?.message ?? `${capital(matching)}.`]}>
      <div className="row spread">
        <FilterBar
          filter={filter}
          onChange={(next) => change({ ...queryOfFilter(next), after: undefined }, true)}
        />
        <div className="row">
          <Select
            label="Order"
            items={orders}
            value={order}
            onChange={(id) => change({ order: id, after: undefined }, true)}
          />
          {canAct && <ExportAction filter={filter} matching={matching} />}
        </div>
      </div>
      <LeadList
        // The key resets the selected leads when the filter or the order changes.
        key={JSON.stringify([filter, order])}
        filter={filter}
        order={order}
        after={address.after}
        matching={matching}
      />
    </Page>
  );
}

function countText(answer: LeadCountAnswer | undefined, noun = 'lead'): string {
  if (answer === undefined) return 'all leads';
  if (answer.isExact) return counted(answer.count, noun);
  // An inexact count of 0 means that the server stopped before it found a matching lead.
  return answer.count === 0
    ? 'an unknown number of leads'
    : `more than ${counted(answer.count, noun)}`;
}

type LeadListProps = {
  readonly filter: LeadFilter;
  readonly order: string;
  readonly after: string | undefined;
  readonly matching: string;
};

/** Lists the leads. Rows do not move, because new leads appear only after the press of a button. */
function LeadList({ filter, order, after, matching }: LeadListProps) {
  const [selection, setSelection] = useState<Selection>(new Set());
  const canAct = useMay('operator');
  const [, change] = useUrlQuery();
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const go = useGo();
  const list = useApi<LeadListAnswer>(
    '/api/leads',
    { ...filter, order, after },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  const { rows = [], first, asOf = null } = list.data ?? {};
  const newer = useApi<LeadCountAnswer>(
    '/api/leads/newer',
    { ...filter, after: first },
    // Polls only the first page of the newest leads, because new leads appear only there.
    { enabled: list.data !== undefined && order === 'newest' && after === undefined, ...polled },
  );
  const refresh = () => {
    change({ after: undefined });
    void client.invalidateQueries();
  };
  const isNothingChosen = selection !== 'all' && selection.size === 0;
  const box = boxColumn(rows, selection, setSelection);
  return (
    <ListPanel
      title={asOf === null ? 'Leads' : `As of ${timeOfDay(asOf, timeZone)}`}
      label="Leads"
      className="leads"
      query={list}
      of={(data) => data.rows}
      rows={16}
      columns={canAct ? [box, ...leadColumns] : leadColumns}
      onRow={({ id }) => go(`/leads/${id}`)}
      actions={
        isNothingChosen ? (
          <span role="status">
            <Button onPress={refresh} isPending={list.isFetching}>
              {newer.data?.count ? capital(countText(newer.data, 'new lead')) : 'Refresh'}
            </Button>
          </span>
        ) : (
          <BulkActions
            selection={selection}
            filter={filter}
            onSelect={setSelection}
            matching={matching}
          />
        )
      }
      empty={
        Object.keys(filter).length > 0 ? (
          'No lead matches. Check the spelling, or remove a filter.'
        ) : (
          <>
            No leads yet. A lead appears here seconds after a visitor presses the last button. Test
            leads need the filter “Test leads”. <Go to="/surveys">Try a survey</Go>
          </>
        )
      }
    />
  );
}

const actions: Readonly<Record<PlanAction, string>> = {
  release: 'Sends held leads to their buyers.',
  resend: 'Sends failed deliveries again. A buyer that has the lead does not get it twice.',
  suppress: 'Stops the deliveries of these people, and of their later leads.',
};

type BulkActionsProps = {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly filter: LeadFilter;
  readonly matching: string;
};

function BulkActions({ selection, onSelect, filter, matching }: BulkActionsProps) {
  const go = useGo();
  const isAll = selection === 'all';
  const leads = isAll ? matching : counted(selection.size, 'lead');
  const what = isAll ? { filter } : { leadIds: [...selection] };
  return (
    <>
      <span role="status">
        <strong>{leads}</strong> selected
      </span>
      {!isAll && (
        <button type="button" className="text-link" onClick={() => onSelect('all')}>
          Select all that match ({matching})
        </button>
      )}
      {planActions.map((action) => (
        <ActionDialog
          key={action}
          trigger={<Button>{capital(action)}…</Button>}
          title={`${capital(action)} ${leads}`}
          means={`${actions[action]} Nothing happens yet: the next page shows the exact list and what will happen to each lead, and waits until you start.`}
          confirmLabel="Prepare the plan"
          onConfirm={async (reason) => {
            const request: PlanRequest = { action, reason, ...what };
            const { id } = await apiPost<Plan>('/api/plans', request);
            go(`/plans/${id}`);
          }}
        />
      ))}
      <Button onPress={() => onSelect(new Set())}>Clear</Button>
    </>
  );
}

const formats = [
  { id: 'csv', label: 'CSV', note: 'for spreadsheets' },
  { id: 'json', label: 'JSON', note: 'one array, for programs' },
];

type ExportProps = { readonly filter: LeadFilter; readonly matching: string };

function ExportAction({ filter, matching }: ExportProps) {
  const [format, setFormat] = useState('csv');
  return (
    <ActionDialog
      title={`Export ${matching}`}
      trigger={<Button icon="download">Export</Button>}
      means="The file holds names, phone numbers and addresses in full: store it safely, and delete it after use. Your export, its reason and the number of leads go into the audit log."
      confirmLabel="Export"
      onConfirm={(reason, signal) => {
        const request = { format, filter, reason } as LeadExportRequest;
        return saveFile('/api/leads/export', request, signal);
      }}
    >
      <Select label="Format" isLabelShown items={formats} value={format} onChange={setFormat} />
    </ActionDialog>
  );
}
