import type {
  PartyTest,
  SettingLine,
  SystemParty,
} from '../../../../model/messages/console/work.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { capital, duration } from '../../format.ts';
import { Page } from '../../parts/page.tsx';
import { PageParts } from '../../parts/page-parts.tsx';
import { type Column, ListPanel } from '../../parts/table.tsx';
import { Ago, Badge, Code, StateBadge } from '../../parts/values.tsx';
import { AuditView } from './audit.tsx';
import { AccountView, PeopleView } from './people.tsx';

/** Shows third parties and the operator's account; to admins also settings, people and audit log. */
export default function SystemPage() {
  const { data } = useApi<readonly SystemParty[]>('/api/system');
  const forAdmins = {
    settings: { label: 'Settings', Part: SettingsView },
    people: { label: 'People', Part: PeopleView },
    audit: { label: 'Audit log', Part: AuditView },
  };
  return (
    <Page title="System" summary={data && summaryOf(data)}>
      <PageParts
        of={{
          parties: { label: 'Third parties', Part: PartiesView },
          ...(useMay('admin') && forAdmins),
          account: { label: 'Your account', Part: AccountView },
        }}
      />
    </Page>
  );
}

function summaryOf(parties: readonly SystemParty[]): string[] {
  const open = parties.filter(({ circuit }) => circuit === 'open').map(({ title }) => title);
  const number = (state: SystemParty['state']) =>
    parties.filter((party) => party.state === state).length;
  return [
    open.length === 0
      ? 'No third party fails now.'
      : `Not called now after failures: ${open.join(', ')}.`,
    `${number('real')} of ${parties.length} are real, the sandbox answers for ${number('sandbox')}.`,
  ];
}

const partyColumns: readonly Column<SystemParty>[] = [
  { header: 'Third party', fold: 'wrap', sort: ({ title }) => capital(title) },
  {
    header: 'State',
    sort: ({ state }) => state,
    cell: (party) => (
      <span className="row">
        <StateBadge state={party.state} />
        <Trouble {...party} />
      </span>
    ),
  },
  {
    header: 'Instead, or needed',
    isMinor: true,
    fold: 'clip',
    cell: ({ state, instead, needs }) => {
      if (state === 'real' || state === 'sandbox') return null;
      return instead ?? (needs.length > 0 && `needs ${needs.join(', ')}`);
    },
  },
  {
    header: 'Last error',
    isMinor: true,
    fold: 'clip',
    cell: ({ lastError, lastErrorAt }) => (
      <>
        {lastError} {lastErrorAt !== null && <Ago at={lastErrorAt} />}
      </>
    ),
  },
  { header: 'Test call', cell: (party) => party.canTest && <Test party={party} /> },
];

function PartiesView() {
  return (
    <ListPanel
      title="Third parties"
      query={useApi<readonly SystemParty[]>('/api/system')}
      columns={partyColumns}
      rowKey={({ name }) => name}
      rows={12}
    />
  );
}

/** Shows why the server sends no requests to a third party. */
function Trouble({ circuit, pausedBy }: SystemParty) {
  if (pausedBy !== null) {
    return (
      <span title={`by ${pausedBy}`}>
        <Badge tone="warning">paused</Badge>
      </span>
    );
  }
  if (circuit === 'half_open') return <Badge tone="warning">being tried again</Badge>;
  return circuit === 'open' && <Badge tone="bad">not called after failures</Badge>;
}

function Test({ party: { name, title } }: { readonly party: SystemParty }) {
  const test = useAction<unknown, PartyTest>(`/api/system/parties/${name}/test`);
  const result = test.error ? { ok: false, text: test.error.message, ms: 0 } : test.data;
  if (!useMay('operator')) return null;
  return (
    <span className="row small">
      <button
        type="button"
        className="text-link"
        aria-label={`Test ${title}`}
        onClick={() => !test.isPending && test.mutate({})}
      >
        {test.isPending ? 'Testing…' : 'Test'}
      </button>
      <span role="status">
        {result && (
          <Badge tone={result.ok ? 'good' : 'bad'}>
            {result.ok ? 'Works' : 'Not proven'}: {result.text} <Code>{duration(result.ms)}</Code>
          </Badge>
        )}
      </span>
    </span>
  );
}

const settingColumns: readonly Column<SettingLine>[] = [
  { header: 'Setting', sort: ({ name }) => name, cell: ({ name }) => <Code>{name}</Code> },
  {
    header: 'Value',
    fold: 'clip',
    cell: ({ value, isSecret }) => (isSecret ? <span className="quiet">{value}</span> : value),
  },
  {
    header: 'From',
    sort: ({ isDefault }) => Number(isDefault),
    cell: ({ isDefault }) => (isDefault ? 'default' : 'the environment'),
  },
];

function SettingsView() {
  return (
    <ListPanel
      title="Settings"
      query={useApi<readonly SettingLine[]>('/api/system/settings')}
      columns={settingColumns}
      rowKey={({ name }) => name}
      rows={20}
      dense
      note="The server reads settings from the environment and .env when it starts. .env.example explains each."
    />
  );
}
