import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SystemAnswer, SystemParty } from '../../../contract/console/work.ts';
import { useApi, useMay } from '../../api.ts';
import { capital } from '../../format.ts';
import { type Item, Tabs } from '../../parts/controls.tsx';
import { Page } from '../../parts/page.tsx';
import { AccountView } from './account.tsx';
import { AuditView } from './audit.tsx';
import { PartiesView } from './parties.tsx';
import { PeopleView } from './people.tsx';
import { SettingsView } from './settings.tsx';
import { VersionsView } from './versions.tsx';
import './system.css';

const views: Readonly<
  Record<string, { label: string; isForAdmins?: true; draw: () => ReactNode }>
> = {
  parties: { label: 'Third parties', draw: () => <PartiesView /> },
  versions: { label: 'Rules and texts', draw: () => <VersionsView /> },
  settings: { label: 'Settings', isForAdmins: true, draw: () => <SettingsView /> },
  people: { label: 'People', isForAdmins: true, draw: () => <PeopleView /> },
  audit: { label: 'Audit log', isForAdmins: true, draw: () => <AuditView /> },
  account: { label: 'Your account', draw: () => <AccountView /> },
};

/** Shows how the system does, who may use it, and what was done with it. */
export default function SystemPage() {
  const { view = 'parties' } = useSearch({ strict: false }) as { view?: string };
  const navigate = useNavigate();
  const isAdmin = useMay('admin');
  const system = useApi<SystemAnswer>('/api/system');
  const items: Item[] = Object.entries(views)
    .filter(([, { isForAdmins }]) => isAdmin || !isForAdmins)
    .map(([id, { label }]) => ({ id, label }));
  const shown = items.some(({ id }) => id === view) ? view : 'parties';
  return (
    <Page title="System" summary={system.data && summaryOf(system.data)}>
      <Tabs
        label="Parts of the system"
        items={items}
        value={shown}
        onChange={(id) => void navigate({ to: '/system', search: { view: id } as never })}
      >
        <div className="system-view">{views[shown]?.draw()}</div>
      </Tabs>
    </Page>
  );
}

/** Says first what needs a person, then what is real. */
function summaryOf({ parties }: SystemAnswer): string[] {
  const open = parties.filter(({ circuit }) => circuit === 'open').map(({ title }) => title);
  const paused = parties.flatMap(({ title, pausedBy }) =>
    pausedBy === null ? [] : [`${title} is paused by ${pausedBy}`],
  );
  const of = (which: SystemParty['state']) => parties.filter(({ state }) => state === which).length;
  const [real, sandbox] = [of('real'), of('sandbox')];
  const trouble =
    open.length === 0
      ? 'No third party fails now.'
      : `Not called now after failures: ${open.join(', ')}.`;
  return [
    trouble,
    ...(paused.length === 0 ? [] : [`${capital(paused.join('; '))}.`]),
    sandbox === parties.length
      ? 'The sandbox answers for all of them.'
      : `${real} of ${parties.length} are real${sandbox > 0 ? `, the sandbox answers for ${sandbox}` : ''}.`,
  ];
}
