import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LeadCountAnswer, LeadFilter } from '../../../contract/console/leads.ts';
import type { Plan, PlanAction, PlanRequest } from '../../../contract/console/work.ts';
import { apiPost } from '../../api.ts';
import { count } from '../../format.ts';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { countText } from './count-text.ts';
import { MOST_CHOSEN, type SelectionState } from './selection.ts';

const actions: Readonly<Record<PlanAction, { readonly label: string; readonly means: string }>> = {
  release: { label: 'Release', means: 'Releasing sends held leads to their buyers.' },
  resend: {
    label: 'Resend',
    means:
      'Resending tries failed deliveries again. A buyer that knows the lead does not get it twice.',
  },
  suppress: {
    label: 'Suppress',
    means: 'Suppressing stops the deliveries of these people, and of their later leads.',
  },
};

type BulkBarProps = {
  readonly selection: SelectionState;
  readonly filter: LeadFilter;
  readonly matching: LeadCountAnswer | undefined;
};

/** Shows how many leads are selected, and prepares a plan for them. */
export function BulkBar({ selection, filter, matching }: BulkBarProps) {
  const { ids, isAll } = selection;
  const [action, setAction] = useState<PlanAction>();
  const navigate = useNavigate();
  if (ids.size === 0 && !isAll) return null;
  const leads = isAll
    ? countText(matching)
    : `${count(ids.size)} ${ids.size === 1 ? 'lead' : 'leads'}`;
  const prepare = async (chosen: PlanAction, reason: string) => {
    const body: PlanRequest = {
      ...{ action: chosen, reason },
      ...(isAll ? { filter } : { leadIds: [...ids] }),
    };
    const { id } = await apiPost<Plan>('/api/plans', body);
    await navigate({ to: '/plans/$id', params: { id } as never });
  };
  return (
    <section className="leads-bulk" aria-label="Selected leads">
      <p>
        <strong>{leads}</strong> selected
        {ids.size >= MOST_CHOSEN && (
          <span className="quiet"> (no more can be chosen one by one)</span>
        )}
      </p>
      {!isAll && (
        <button type="button" className="text-link" onClick={selection.selectAll}>
          Select all that match{matching && ` (${countText(matching)})`}
        </button>
      )}
      <div className="leads-bulk-actions">
        {(Object.keys(actions) as PlanAction[]).map((each) => (
          <Button key={each} onPress={() => setAction(each)}>
            {actions[each].label}…
          </Button>
        ))}
        <Button onPress={selection.clear}>Clear</Button>
      </div>
      {action !== undefined && (
        <ActionDialog
          isOpen
          title={`${actions[action].label} ${leads}`}
          means={
            <div className="leads-means">
              <p>{actions[action].means}</p>
              <p>
                Nothing happens yet. The next page shows the exact list and what will happen to each
                lead, and waits until you start.
              </p>
            </div>
          }
          confirmLabel="Prepare the plan"
          onClose={() => setAction(undefined)}
          onConfirm={(reason) => prepare(action, reason)}
        />
      )}
    </section>
  );
}
