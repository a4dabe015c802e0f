import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Menu as AriaMenu,
  Select as AriaSelect,
  Switch as AriaSwitch,
  Tabs as AriaTabs,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  MenuItem,
  MenuTrigger,
  Popover,
  SelectValue,
  Tab,
  TabList,
  TabPanel,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';

/** One choice of a select, menu or list of tabs. */
export type Item = {
  readonly id: string;
  readonly label: string;
  /** A second line, or the number behind a tab's name. */
  readonly note?: string | undefined;
  readonly isDisabled?: boolean;
};

type ButtonProps = {
  /** Default: plain. */
  readonly tone?: 'primary' | 'plain' | 'danger';
  readonly onPress?: () => void;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly type?: 'button' | 'submit';
  readonly icon?: IconName;
  readonly children: ReactNode;
};

/** A button with words. It keeps the focus while pending, and cannot be pressed again. */
export function Button(props: ButtonProps) {
  const { tone = 'plain', onPress, isPending, isDisabled, type = 'button', icon, children } = props;
  return (
    <AriaButton
      className="button"
      data-tone={tone}
      type={type}
      onPress={onPress}
      isPending={isPending}
      isDisabled={isDisabled}
    >
      {icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

type IconButtonProps = {
  /** What it does; read aloud and shown on hover. */
  readonly label: string;
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
};

/** A button with a sign instead of words. */
export function IconButton({ label, onPress, isDisabled, children }: IconButtonProps) {
  return (
    <span title={label}>
      <AriaButton
        className="icon-button"
        aria-label={label}
        onPress={onPress}
        isDisabled={isDisabled}
      >
        {children}
      </AriaButton>
    </span>
  );
}

type SelectProps = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Shows the label beside the value. Default: only read aloud. */
  readonly isLabelShown?: boolean;
  readonly isDisabled?: boolean;
};

/** Chooses one of a few items. An item whose id is empty stands for no choice. */
export function Select(props: SelectProps) {
  const { label, items, value, onChange, isLabelShown = false, isDisabled } = props;
  return (
    <AriaSelect
      className="select"
      value={value}
      onChange={(key) => onChange(String(key ?? ''))}
      isDisabled={isDisabled}
    >
      <Label className={isLabelShown ? 'field-label' : 'visually-hidden'}>{label}</Label>
      <AriaButton className="button">
        <SelectValue className="select-value" />
        <Icon name="down" />
      </AriaButton>
      <Popover className="popover" offset={4}>
        <ListBox className="options" items={items}>
          {(item) => (
            <ListBoxItem
              className="option"
              id={item.id}
              textValue={item.label}
              isDisabled={item.isDisabled}
            >
              <Text slot="label">{item.label}</Text>
              {item.note && <Text slot="description">{item.note}</Text>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

type TextInputProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'email' | 'search' | 'date' | 'tel';
  readonly placeholder?: string;
  /** What to write, below the field. */
  readonly description?: string;
  /** Why the value is not accepted. */
  readonly error?: string | undefined;
  readonly isLabelHidden?: boolean;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
  /** The lines of a longer text. Default: one line. */
  readonly lines?: number;
};

/** A field for text. */
export function TextInput(props: TextInputProps) {
  const { label, value, onChange, type = 'text', placeholder, description, error, lines } = props;
  return (
    <TextField
      className="field"
      type={type}
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined && error !== ''}
      isRequired={props.isRequired}
      isDisabled={props.isDisabled}
      autoFocus={props.autoFocus}
    >
      <Label className={props.isLabelHidden ? 'visually-hidden' : 'field-label'}>{label}</Label>
      {lines === undefined ? (
        <Input className="input" placeholder={placeholder} />
      ) : (
        <TextArea className="input" rows={lines} placeholder={placeholder} />
      )}
      {description && (
        <Text className="field-note" slot="description">
          {description}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </TextField>
  );
}

type SwitchProps = {
  readonly label: string;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
};

/** Turns something on or off at once. */
export function Switch({ label, isSelected, onChange, isDisabled }: SwitchProps) {
  return (
    <AriaSwitch
      className="switch"
      isSelected={isSelected}
      onChange={onChange}
      isDisabled={isDisabled}
    >
      <span className="switch-track" />
      {label}
    </AriaSwitch>
  );
}

type TabsProps = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** The content of the selected tab. */
  readonly children: ReactNode;
};

/** Shows one of several contents. */
export function Tabs({ label, items, value, onChange, children }: TabsProps) {
  return (
    <AriaTabs
      className="tabs"
      selectedKey={value}
      onSelectionChange={(key) => onChange(String(key))}
      keyboardActivation="manual"
    >
      <TabList className="tab-list" aria-label={label} items={items}>
        {(item) => (
          <Tab className="tab" id={item.id} isDisabled={item.isDisabled}>
            {item.label}
            {item.note && <span className="tab-note">{item.note}</span>}
          </Tab>
        )}
      </TabList>
      {/* A panel keeps its first id, so each tab needs its own to control. */}
      <TabPanel key={value} className="tab-panel" id={value}>
        {children}
      </TabPanel>
    </AriaTabs>
  );
}

type MenuProps = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly onAction: (id: string) => void;
  /** The button's content. Default: the label with an arrow. */
  readonly children?: ReactNode;
};

/** A button that opens a list of actions. */
export function Menu({ label, items, onAction, children }: MenuProps) {
  return (
    <MenuTrigger>
      <AriaButton className={children ? 'icon-button' : 'button'} aria-label={label}>
        {children ?? (
          <>
            {label}
            <Icon name="down" />
          </>
        )}
      </AriaButton>
      <Popover className="popover" offset={4}>
        <AriaMenu className="options" items={items} onAction={(key) => onAction(String(key))}>
          {(item) => (
            <MenuItem
              className="option"
              id={item.id}
              textValue={item.label}
              isDisabled={item.isDisabled}
            >
              <Text slot="label">{item.label}</Text>
              {item.note && <Text slot="description">{item.note}</Text>}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
