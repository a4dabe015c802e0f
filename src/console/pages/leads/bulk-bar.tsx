import { useState } from 'react';
import type { LeadCountAnswer, LeadFilter } from '../../../contract/console/leads.ts';
import type { PlanRequest } from '../../../contract/console/requests.ts';
import type { Plan, PlanAction } from '../../../contract/console/work.ts';
import { useAction } from '../../api.ts';
import { count, counted } from '../../format.ts';
import { useGo } from '../../parts/address.tsx';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { countText } from './filters.ts';

/** The chosen leads by id; `all`: all that match the filter, loaded or not. */
export type Selection = ReadonlySet<string> | 'all';

/** A plan takes at most this many chosen leads; more are selected by the filter. */
const MOST_CHOSEN = 1_000;

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
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly filter: LeadFilter;
  readonly matching: LeadCountAnswer | undefined;
};

/** Shows how many leads are selected, and prepares a plan for them. */
export function BulkBar({ selection, onSelect, filter, matching }: BulkBarProps) {
  const [action, setAction] = useState<PlanAction>();
  const make = useAction<PlanRequest, Plan>('/api/plans');
  const go = useGo();
  const isAll = selection === 'all';
  if (!isAll && selection.size === 0) return null;
  const leads = isAll ? countText(matching) : counted(selection.size, 'lead');
  const isTooMany = !isAll && selection.size > MOST_CHOSEN;
  return (
    <section className="leads-foot row" aria-label="Selected leads">
      <p>
        <strong>{leads}</strong> selected
        {isTooMany && `: at most ${count(MOST_CHOSEN)} can be chosen one by one`}
      </p>
      {!isAll && (
        <button type="button" className="text-link" onClick={() => onSelect('all')}>
          Select all that match{matching && ` (${countText(matching)})`}
        </button>
      )}
      {(Object.keys(actions) as PlanAction[]).map((each) => (
        <Button key={each} isDisabled={isTooMany} onPress={() => setAction(each)}>
          {actions[each].label}…
        </Button>
      ))}
      <Button onPress={() => onSelect(new Set())}>Clear</Button>
      {action && (
        <ActionDialog
          title={`${actions[action].label} ${leads}`}
          means={`${actions[action].means} Nothing happens yet: the next page shows the exact list and what will happen to each lead, and waits until you start.`}
          confirmLabel="Prepare the plan"
          onClose={() => setAction(undefined)}
          onConfirm={async (reason) => {
            const what = isAll ? { filter } : { leadIds: [...selection] };
            const { id } = await make.mutateAsync({ action, reason, ...what });
            go(`/plans/${id}`);
          }}
        />
      )}
    </section>
  );
}
