import type { ReactNode } from 'react';
import type { SystemAnswer, SystemParty } from '../../../../model/messages/console/work.ts';
import { useApi, useMay } from '../../api.ts';
import { useAddress, useGo } from '../../parts/address.tsx';
import { Tabs } from '../../parts/controls.tsx';
import { Page } from '../../parts/page.tsx';
import { AuditView } from './audit.tsx';
import { PartiesView } from './parties.tsx';
import { AccountView, PeopleView } from './people.tsx';
import { SettingsView, VersionsView } from './versions.tsx';

type View = { readonly label: string; readonly isForAdmins?: true; readonly draw: () => ReactNode };

const views: Readonly<Record<string, View>> = {
  parties: { label: 'Third parties', draw: () => <PartiesView /> },
  versions: { label: 'Rules and texts', draw: () => <VersionsView /> },
  settings: { label: 'Settings', isForAdmins: true, draw: () => <SettingsView /> },
  people: { label: 'People', isForAdmins: true, draw: () => <PeopleView /> },
  audit: { label: 'Audit log', isForAdmins: true, draw: () => <AuditView /> },
  account: { label: 'Your account', draw: () => <AccountView /> },
};

/** Shows how the system does, who may use it, and what was done with it. */
export default function SystemPage() {
  const [{ view = '' }] = useAddress();
  const go = useGo();
  const isAdmin = useMay('admin');
  const system = useApi<SystemAnswer>('/api/system');
  const items = Object.entries(views)
    .filter(([, { isForAdmins }]) => isAdmin || !isForAdmins)
    .map(([id, { label }]) => ({ id, label }));
  const shown = items.some(({ id }) => id === view) ? view : 'parties';
  return (
    <Page title="System" summary={system.data && summaryOf(system.data)}>
      <Tabs
        label="Parts of the system"
        items={items}
        value={shown}
        onChange={(id) => go(`/system?view=${id}`)}
      >
        {views[shown]?.draw()}
      </Tabs>
    </Page>
  );
}

/** Says first what needs a person, then what is real. */
function summaryOf({ parties }: SystemAnswer): string[] {
  const open = parties.filter(({ circuit }) => circuit === 'open').map(({ title }) => title);
  const of = (which: SystemParty['state']) => parties.filter(({ state }) => state === which).length;
  const [real, sandbox] = [of('real'), of('sandbox')];
  const trouble =
    open.length === 0
      ? 'No third party fails now.'
      : `Not called now after failures: ${open.join(', ')}.`;
  return [
    trouble,
    sandbox === parties.length
      ? 'The sandbox answers for all of them.'
      : `${real} of ${parties.length} are real${sandbox > 0 ? `, the sandbox answers for ${sandbox}` : ''}.`,
  ];
}
