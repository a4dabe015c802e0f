import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SystemAnswer } from '../../../contract/console/work.ts';
import { useApi, useMay } from '../../api.ts';
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
  const real = parties.filter(({ state }) => state === 'real').length;
  const trouble =
    open.length === 0
      ? 'No third party is left alone after failures.'
      : `Not called now after failures: ${open.join(', ')}.`;
  return [
    trouble,
    ...(paused.length === 0 ? [] : [`${capital(paused.join('; '))}.`]),
    `${real} of ${parties.length} third parties are real.`,
  ];
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
