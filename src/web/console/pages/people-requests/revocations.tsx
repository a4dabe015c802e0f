import type { Revocation } from '../../../../model/messages/console/people-requests.ts';
import { actionReasons, REVOCATION_SOURCES } from '../../../../model/messages/vocabulary.ts';
import { apiPost, useApi, useMay } from '../../api.ts';
import { capital, day } from '../../format.ts';
import { LeadLink } from '../../parts/address.tsx';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { actionsColumn, type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { reasonItems } from '../../parts/words.ts';

const columns: readonly Column<Revocation>[] = [
  { header: 'Confirm by', cell: ({ confirmBy }) => day(confirmBy) },
  {
    header: 'Recipient and lead',
    fold: 'wrap',
    cell: ({ title, leadId }) => [`${title} `, <LeadLink key={leadId} id={leadId} />],
  },
  { header: 'Their id', cell: ({ externalId }) => externalId, isMinor: true },
  { header: 'How', cell: ({ source }) => capital(REVOCATION_SOURCES[source]), isMinor: true },
  timeColumn('Your system told', ({ toldAt }) => toldAt, { isMinor: true }),
  actionsColumn((one) => <Confirm {...one} />),
];

/** Lists who must still confirm that they stopped calling a person who revoked consent. */
export function Revocations() {
  return (
    <ListPanel
      title="Waiting for a confirmation"
      query={useApi<readonly Revocation[]>('/api/revocations')}
      columns={columns}
      rowKey={({ leadId, destination }) => `${leadId} ${destination}`}
      note="A recipient must stop calls and texts within 10 business days (47 CFR 64.1200(a)(10)). Without a webhook (WEBHOOK_URL) you must tell each recipient by hand."
      empty="Every recipient has confirmed."
    />
  );
}

function Confirm({ title, leadId, destination }: Revocation) {
  if (!useMay('operator')) return null;
  return (
    <ActionDialog
      title={`${title} has stopped`}
      means="Notes that the recipient confirmed that it no longer calls or texts this person."
      reasons={reasonItems(actionReasons.confirm)}
      confirmLabel="Confirmed"
      trigger={<Button>Confirmed…</Button>}
      onConfirm={(reason) => apiPost('/api/revocations/confirm', { leadId, destination, reason })}
    />
  );
}
