import type {
  ConsentTextUse,
  RulesVersionUse,
  SystemAnswer,
} from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Code, Count } from '../../parts/values.tsx';

const rulesColumns: readonly Column<RulesVersionUse>[] = [
  {
    id: 'version',
    header: 'Version',
    cell: ({ version, isCurrent }) => (
      <>
        <Code>{version.slice(0, 12)}</Code> {isCurrent && 'decides now'}
      </>
    ),
  },
  {
    id: 'first',
    header: 'First used',
    sort: ({ firstUsedAt }) => firstUsedAt,
    cell: ({ firstUsedAt }) => <Ago at={firstUsedAt} />,
  },
  {
    id: 'leads',
    header: 'Leads',
    align: 'end',
    sort: ({ leads }) => leads,
    cell: ({ leads }) => <Count value={leads} />,
  },
];

const consentColumns: readonly Column<ConsentTextUse>[] = [
  {
    id: 'version',
    header: 'Text of',
    sort: ({ version }) => version,
    cell: ({ version }) => (version === '' ? 'not said' : <Code>{version}</Code>),
  },
  {
    id: 'language',
    header: 'Language',
    sort: ({ language }) => language,
    cell: ({ language }) => language,
  },
  {
    id: 'surveys',
    header: 'Surveys',
    isMinor: true,
    cell: ({ surveys }) => <span className="system-wide">{surveys.join(', ')}</span>,
  },
  {
    id: 'last',
    header: 'Last given',
    sort: ({ lastGivenAt }) => lastGivenAt,
    cell: ({ lastGivenAt }) => <Ago at={lastGivenAt} />,
  },
  {
    id: 'leads',
    header: 'Leads',
    align: 'end',
    sort: ({ leads }) => leads,
    cell: ({ leads }) => <Count value={leads} />,
  },
];

/** Lists the versions of rules and consent texts, and where each is in use. */
export function VersionsView() {
  const system = useApi<SystemAnswer>('/api/system');
  return (
    <>
      <Panel title="Rules" query={system}>
        {({ rules, leadsLookedAt }) => (
          <>
            <p className="system-note">
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
