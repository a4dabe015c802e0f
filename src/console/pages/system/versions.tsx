import { useState } from 'react';
import type {
  ConsentTextUse,
  RulesVersionUse,
  SettingLine,
  SystemAnswer,
} from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { TextInput } from '../../parts/controls.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable, numberColumn, timeColumn } from '../../parts/table.tsx';
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
  {
    header: 'Surveys',
    isMinor: true,
    cell: ({ surveys }) => <span className="clip">{surveys.join(', ')}</span>,
  },
  timeColumn('Last given', ({ lastGivenAt }) => lastGivenAt),
  numberColumn('Leads', ({ leads }) => leads),
];

/** Lists the versions of rules and consent texts, and where each is in use. */
export function VersionsView() {
  const system = useApi<SystemAnswer>('/api/system');
  return (
    <>
      <Panel title="Rules" query={system}>
        {({ rules, leadsLookedAt }) => (
          <>
            <p className="body quiet">
              A version is a hash of the files and settings that decide about leads. Leads are
              counted among the newest {count(leadsLookedAt)}.
            </p>
            <DataTable
              label="Versions of the rules"
              columns={rulesColumns}
              rows={rules}
              rowKey={({ version }) => version}
            />
          </>
        )}
      </Panel>
      <Panel
        title="Consent texts"
        query={system}
        isEmpty={({ consents }) => consents.length === 0}
        empty="No lead has agreed to a text yet. Send a test lead from Surveys."
      >
        {({ consents }) => (
          <DataTable
            label="Consent texts"
            columns={consentColumns}
            rows={consents}
            rowKey={({ version, language }) => `${version} ${language}`}
          />
        )}
      </Panel>
    </>
  );
}

const settingColumns: readonly Column<SettingLine>[] = [
  { header: 'Setting', sort: ({ name }) => name, cell: ({ name }) => <Code>{name}</Code> },
  {
    header: 'Value',
    cell: ({ value, isSecret }) => (
      <span className={isSecret ? 'clip quiet' : 'clip'}>{value}</span>
    ),
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
  const settings = useApi<readonly SettingLine[]>('/api/system/settings');
  const [text, setText] = useState('');
  const part = text.trim().toUpperCase().replaceAll(' ', '_');
  return (
    <Panel title="Settings" query={settings} rows={20}>
      {(lines) => (
        <>
          <div className="body row fields">
            <TextInput label="Name contains" value={text} onChange={setText} type="search" />
          </div>
          <DataTable
            label="Settings"
            columns={settingColumns}
            rows={lines.filter(({ name }) => name.includes(part))}
            rowKey={({ name }) => name}
            dense
          />
          <p className="body quiet">
            Settings come from the environment and .env when the server starts. Each is explained in{' '}
            <Code>.env.example</Code>.
          </p>
        </>
      )}
    </Panel>
  );
}
