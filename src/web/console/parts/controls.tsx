import { type ReactNode, useEffect, useId, useRef } from 'react';
import {
  Button as AriaButton,
  Dialog as AriaDialog,
  Tabs as AriaTabs,
  DialogTrigger,
  Popover,
  Tab,
  TabList,
  TabPanel,
} from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';

type FormProps = {
  readonly onSubmit: () => void;
  readonly className?: string;
  /** True while the form is being submitted. */
  readonly isPending?: boolean;
  readonly children: ReactNode;
};

/** Draws a form that calls `onSubmit`. The browser does not send the form. */
export function Form({ onSubmit, className, isPending = false, children }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export type Item = {
  readonly id: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly isDisabled?: boolean;
};

export type ButtonProps = {
  readonly tone?: 'primary' | 'plain' | 'danger';
  readonly onPress?: () => void;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly type?: 'button' | 'submit';
  readonly icon?: IconName;
  readonly children: ReactNode;
};

/** Draws a button, which cannot be pressed while its action runs. */
export function Button(props: ButtonProps) {
  const { tone = 'plain', icon, children, isPending = false, type, onPress, ...others } = props;
  const acts = isPending ? {} : { type, onPress };
  return (
    <AriaButton className="button" data-tone={tone} data-busy={isPending} {...acts} {...others}>
      {icon && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

type IconButtonProps = {
  /** The action of the button, for screen readers and the tooltip. */
  readonly label: string;
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  readonly icon: IconName;
};

export function IconButton({ label, icon, ...others }: IconButtonProps) {
  return (
    <span title={label}>
      <AriaButton className="icon-button" aria-label={label} {...others}>
        <Icon name={icon} />
      </AriaButton>
    </span>
  );
}

type SelectProps = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly isLabelShown?: boolean;
  readonly autoFocus?: boolean;
};

/** Draws a select box. The item with an empty id means no choice. */
export function Select({ label, items, onChange, isLabelShown, ...input }: SelectProps) {
  const id = useId();
  return (
    <span className="field">
      <label className={isLabelShown ? 'field-label' : 'visually-hidden'} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="button"
        onChange={({ target }) => onChange(target.value)}
        {...input}
      >
        {items.map((item) => (
          <option key={item.id} value={item.id}>
            {item.label}
            {item.note && ` (${item.note})`}
          </option>
        ))}
      </select>
    </span>
  );
}

type TextInputProps = {
  readonly label: string;
  readonly value: string;
  /** Without this function the field is read-only. */
  readonly onChange?: (value: string) => void;
  readonly type?: 'text' | 'email' | 'search' | 'date' | 'number';
  readonly min?: number;
  readonly step?: number;
  readonly placeholder?: string;
  readonly description?: string;
  readonly isLabelHidden?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
  readonly lines?: number;
};

export function TextInput(props: TextInputProps) {
  const { label, onChange, description, isLabelHidden, isRequired, lines, ...input } = props;
  const id = useId();
  const Field = lines === undefined ? 'input' : 'textarea';
  return (
    <span className="field">
      <label className={isLabelHidden ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      <Field
        id={id}
        className="input"
        required={isRequired}
        readOnly={!onChange}
        rows={lines}
        aria-describedby={description && `${id}-note`}
        onChange={({ target }) => onChange?.(target.value)}
        {...input}
      />
      {description && (
        <span className="quiet fine" id={`${id}-note`}>
          {description}
        </span>
      )}
    </span>
  );
}

type TabsProps = {
  readonly label: string;
  readonly items: readonly Item[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly children: ReactNode;
};

export function Tabs({ label, items, value, onChange, children }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is selected
  useEffect(() => {
    // Waits for the next frame, in which React Aria has drawn the selected tab.
    const frame = requestAnimationFrame(() => {
      const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
      list.current?.scrollTo((tab?.offsetLeft ?? 0) - 80, 0);
    });
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return (
    <AriaTabs
      className="tabs"
      selectedKey={value}
      onSelectionChange={(key) => onChange(String(key))}
      keyboardActivation="manual"
    >
      <TabList ref={list} className="tab-list" aria-label={label} items={items}>
        {(item) => (
          <Tab className="tab" id={item.id} isDisabled={item.isDisabled}>
            {item.label}
          </Tab>
        )}
      </TabList>
      {/* React Aria ignores a changed id, so `key` makes a new panel for each tab. */}
      <TabPanel key={value} className="tab-panel" id={value}>
        {children}
      </TabPanel>
    </AriaTabs>
  );
}

type PopupProps = {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly children: (close: () => void) => ReactNode;
};

export function Popup({ trigger, label, children }: PopupProps) {
  return (
    <DialogTrigger>
      {trigger}
      <Popover className="popover" offset={4} placement="bottom start">
        <AriaDialog className="popup" aria-label={label}>
          {({ close }) => children(close)}
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}

type OptionListProps = {
  readonly items: readonly Item[];
  readonly chosen?: string | undefined;
  readonly onChoose: (id: string) => void;
};

export function OptionList({ items, chosen, onChoose }: OptionListProps) {
  return (
    <ul className="options">
      {items.map(({ id, label, note }) => (
        <li key={id}>
          <button
            type="button"
            className="option"
            aria-pressed={id === chosen}
            onClick={() => onChoose(id)}
          >
            <span>{label}</span>
            {note !== undefined && <span className="quiet">{note}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

type ChipProps = {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
};

export function Chip({ name, onRemove, children }: ChipProps) {
  return (
    <span className="chip">
      <span>
        <span className="quiet">{name}</span> {children}
      </span>
      <IconButton label={`Remove the filter ${name}`} icon="close" onPress={onRemove} />
    </span>
  );
}
