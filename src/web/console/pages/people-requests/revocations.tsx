import type {
  Revocation,
  RevocationsAnswer,
} from '../../../../model/messages/console/people-requests.ts';
import type { ConfirmationRequest } from '../../../../model/messages/console/requests.ts';
import { actionReasons, REVOCATION_SOURCES } from '../../../../model/messages/vocabulary.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { addDays, capital, day, dayOf } from '../../format.ts';
import { LeadLink, useUrlQuery } from '../../parts/address.tsx';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { actionsColumn, type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { Ago, Badge, useNow, useTimeZone } from '../../parts/values.tsx';
import { reasonItems } from '../../parts/words.ts';

/** Lists who must still confirm that they stopped calling a person who revoked consent. */
export function Revocations() {
  const [{ after }] = useUrlQuery();
  const query = useApi<RevocationsAnswer>('/api/revocations', { after });
  const isByHand = query.data?.hasListener === false;
  const columns: readonly Column<Revocation>[] = [
    { header: 'Confirm by', cell: (one) => <Deadline revocation={one} /> },
    { header: 'Recipient', cell: nameOf },
    { header: 'Lead', cell: ({ leadId }) => <LeadLink id={leadId} /> },
    { header: 'Their id', cell: ({ externalId }) => externalId, isMinor: true },
    { header: 'How', cell: ({ source }) => capital(REVOCATION_SOURCES[source]), isMinor: true },
    timeColumn('Revoked', ({ revokedAt }) => revokedAt, { isMinor: true }),
    {
      header: 'Your system told',
      cell: ({ toldAt }) =>
        toldAt ? <Ago at={toldAt} /> : isByHand ? 'No: tell them by hand' : 'Not yet',
    },
    actionsColumn((one) => <Confirm revocation={one} />),
  ];
  return (
    <ListPanel
      title="Waiting for a confirmation"
      query={query}
      of={({ revocations }) => revocations}
      columns={columns}
      rowKey={({ leadId, destination }) => `${leadId} ${destination}`}
      note={`${isByHand ? 'No webhook is set up (WEBHOOK_URL), so you must tell each recipient by hand. ' : ''}A recipient must stop calls and texts within 10 business days (47 CFR 64.1200(a)(10)).`}
      empty="Every recipient has confirmed. When a person revokes consent, the buyers that have their lead appear here."
    />
  );
}

const nameOf = ({ title, destination }: Revocation) => title ?? destination;

/** The deadline is marked from this many days before it. */
const URGENT_DAYS = 2;

function Deadline({ revocation: { confirmBy } }: { readonly revocation: Revocation }) {
  const today = dayOf(useNow(), useTimeZone());
  const isUrgent = confirmBy <= addDays(today, URGENT_DAYS);
  return isUrgent ? <Badge tone="bad">{day(confirmBy)}</Badge> : day(confirmBy);
}

function Confirm({ revocation }: { readonly revocation: Revocation }) {
  const { leadId, destination } = revocation;
  const confirm = useAction<ConfirmationRequest, object>('/api/revocations/confirm');
  if (!useMay('operator')) return null;
  return (
    <ActionDialog
      title={`${nameOf(revocation)} has stopped`}
      means="Notes that the recipient confirmed that it no longer calls or texts this person."
      reasons={reasonItems(actionReasons.confirm)}
      confirmLabel="Confirmed"
      trigger={<Button>Confirmed…</Button>}
      onConfirm={(reason) => confirm.mutateAsync({ leadId, destination, reason })}
    />
  );
}
