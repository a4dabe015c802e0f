import { useNavigate } from '@tanstack/react-router';
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import { apiPost, useMe } from '../api.ts';
import { Icon } from '../parts/icon.tsx';
import { type Preference, setPreference, usePreference } from './preferences.ts';

/** The operator's own menu: scheme, passkey, sign out. */
export function Profile() {
  const me = useMe();
  const navigate = useNavigate();
  const act = async (key: string) => {
    if (key === 'passkey') void navigate({ to: '/system', search: { view: 'account' } as never });
    if (key === 'sign-out') {
      await apiPost('/api/sign-out');
      location.assign('/sign-in');
    }
  };
  return (
    <MenuTrigger>
      <AriaButton className="avatar" aria-label="Your account and settings">
        {me ? me.email[0]?.toUpperCase() : <Icon name="person" />}
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={6}>
        {me && (
          <div className="profile-head">
            <strong>{me.email}</strong>
            <span>{me.role}</span>
          </div>
        )}
        <Menu className="options" onAction={(key) => void act(String(key))}>
          <Choice
            name="theme"
            label="Colours"
            items={{ system: 'As the system', light: 'Light', dark: 'Dark' }}
          />
          <Separator className="separator" />
          <MenuItem className="option" id="passkey">
            {me?.hasPasskey ? 'Passkeys and sessions' : 'Add a passkey'}
          </MenuItem>
          <MenuItem className="option" id="sign-out">
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

type ChoiceProps = {
  readonly name: Preference;
  readonly label: string;
  readonly items: Readonly<Record<string, string>>;
};

function Choice({ name, label, items }: ChoiceProps) {
  const chosen = usePreference(name);
  return (
    <MenuSection
      className="option-group"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        for (const key of keys) setPreference(name, String(key));
      }}
      shouldCloseOnSelect={false}
    >
      <Header>{label}</Header>
      {Object.entries(items).map(([id, text]) => (
        <MenuItem className="option" id={id} key={id} textValue={text}>
          {text}
          {id === chosen && <Icon name="check" />}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
