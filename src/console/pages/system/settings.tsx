import { useState } from 'react';
import type { SettingLine } from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { Switch, TextInput } from '../../parts/controls.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Code } from '../../parts/values.tsx';

const columns: readonly Column<SettingLine>[] = [
  {
    id: 'name',
    header: 'Setting',
    cell: ({ name }) => <Code>{name}</Code>,
    sort: ({ name }) => name,
  },
  {
    id: 'value',
    header: 'Value',
    cell: ({ value, isSecret }) => (
      <span className={isSecret ? 'system-wide quiet' : 'system-wide'}>{value}</span>
    ),
  },
  {
    id: 'from',
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
  const [onlyGiven, setOnlyGiven] = useState(false);
  const matches = ({ name, isDefault }: SettingLine) =>
    name.includes(text.trim().toUpperCase().replaceAll(' ', '_')) && !(onlyGiven && isDefault);
  return (
    <Panel title="Settings" query={settings} rows={20}>
      {(lines) => (
        <>
          <div className="system-filter">
            <TextInput label="Name contains" value={text} onChange={setText} type="search" />
            <Switch
              label="Only those that are set"
              isSelected={onlyGiven}
              onChange={setOnlyGiven}
            />
          </div>
          <DataTable
            label="Settings"
            columns={columns}
            rows={lines.filter(matches)}
            rowKey={({ name }) => name}
            dense
          />
          <p className="system-note">
            Settings come from the environment and .env when the server starts. Each is explained in{' '}
            <Code>.env.example</Code>.
          </p>
        </>
      )}
    </Panel>
  );
}
