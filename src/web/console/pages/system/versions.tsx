import type {
  ConsentTextUse,
  RulesVersionUse,
  SettingLine,
  SystemAnswer,
} from '../../../../model/messages/console/work.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { type Column, ListPanel, numberColumn, timeColumn } from '../../parts/table.tsx';
import { Code } from '../../parts/values.tsx';

const rulesColumns: readonly Column<RulesVersionUse>[] = [
  {
    header: 'Version',
    cell: ({ version, isCurrent }) => (
      <>
        <Code>{version.slice(0, 12)}</Code> {isCurrent && 'decides now'}
      </>
    ),
  },
  timeColumn('First used', ({ firstUsedAt }) => firstUsedAt),
  numberColumn('Leads', ({ leads }) => leads),
];

const consentColumns: readonly Column<ConsentTextUse>[] = [
  {
    header: 'Text of',
    sort: ({ version }) => version,
    cell: ({ version }) => (version === '' ? 'not said' : <Code>{version}</Code>),
  },
  { header: 'Language', sort: ({ language }) => language },
  { header: 'Surveys', isMinor: true, fold: 'clip', cell: ({ surveys }) => surveys.join(', ') },
  timeColumn('Last given', ({ lastGivenAt }) => lastGivenAt),
  numberColumn('Leads', ({ leads }) => leads),
];

/** Lists the versions of rules and consent texts, and where each is in use. */
export function VersionsView() {
  const query = useApi<SystemAnswer>('/api/system');
  return (
    <>
      <ListPanel
        title="Rules"
        query={query}
        of={({ rules }) => rules}
        columns={rulesColumns}
        rowKey={({ version }) => version}
        note={`A version is a hash of the files and settings that decide about leads. Leads are counted among the newest ${count(query.data?.leadsLookedAt ?? 0)}.`}
      />
      <ListPanel
        title="Consent texts"
        query={query}
        of={({ consents }) => consents}
        columns={consentColumns}
        rowKey={({ version, language }) => `${version} ${language}`}
        empty="No lead has agreed to a text yet. Send a test lead from Surveys."
      />
    </>
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
    cell: ({ isDefault }) =>
      isDefault ? <span className="quiet">default</span> : 'the environment',
  },
];

/** Lists the settings of the server. Secrets never reach the browser. */
export function SettingsView() {
  return (
    <ListPanel
      title="Settings"
      query={useApi<readonly SettingLine[]>('/api/system/settings')}
      columns={settingColumns}
      rowKey={({ name }) => name}
      rows={20}
      dense
      note={
        <>
          Settings come from the environment and .env when the server starts. Each is explained in{' '}
          <Code>.env.example</Code>.
        </>
      }
    />
  );
}
