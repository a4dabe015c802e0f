import { type ReactNode, useState } from 'react';
import {
  Dialog as AriaDialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
} from 'react-aria-components';
import { useAction } from '../api.ts';
import { Button, Form, IconButton, type Item, Select, TextInput } from './controls.tsx';
import { Problem } from './page.tsx';

type DialogProps = {
  readonly title: string;
  /** The button that opens it. Without one it is open while it is drawn. */
  readonly trigger?: ReactNode;
  readonly onClose?: () => void;
  /** A function is given what closes the dialog. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
};

/** Asks or shows something in front of the page. Escape and the sign in its corner close it. */
export function Dialog({ title, trigger, onClose, children }: DialogProps) {
  const onOpenChange = (isNowOpen: boolean) => {
    if (!isNowOpen) onClose?.();
  };
  const isOpen = trigger === undefined ? true : undefined;
  const overlay = (
    <ModalOverlay className="overlay" isDismissable isOpen={isOpen} onOpenChange={onOpenChange}>
      <Modal className="modal">
        <AriaDialog className="dialog">
          {({ close }) => (
            <>
              <header className="dialog-head row spread">
                <Heading slot="title">{title}</Heading>
                <IconButton label="Close" icon="close" onPress={close} />
              </header>
              <div className="dialog-body">
                {typeof children === 'function' ? children(close) : children}
              </div>
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
  if (trigger === undefined) return overlay;
  return (
    <DialogTrigger onOpenChange={onOpenChange}>
      {trigger}
      {overlay}
    </DialogTrigger>
  );
}

type ActionDialogProps = Omit<DialogProps, 'children'> & {
  /** What will happen, said before it does. */
  readonly means: ReactNode;
  /** Reasons to pick from. The last one asks for words. Default: words only. */
  readonly reasons?: readonly Item[];
  readonly confirmLabel: string;
  readonly tone?: 'primary' | 'danger';
  /** Does it. The dialog shows the error of a rejected promise and stays open. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly children?: ReactNode;
};

/** Asks before an action: says the consequence, asks for the reason, shows the error. */
export function ActionDialog({ title, trigger, onClose, ...form }: ActionDialogProps) {
  return (
    <Dialog {...({ title, trigger, onClose } as DialogProps)}>
      {(close) => <ActionForm {...form} close={close} />}
    </Dialog>
  );
}

type ActionFormProps = Omit<ActionDialogProps, keyof DialogProps> &
  Pick<ActionDialogProps, 'children'> & { readonly close: () => void };

function ActionForm(props: ActionFormProps) {
  const { means, reasons, confirmLabel, tone = 'primary', onConfirm, close, children } = props;
  const [picked, setPicked] = useState('');
  const [words, setWords] = useState('');
  const needsWords = reasons === undefined || picked === reasons.at(-1)?.id;
  const reason = needsWords ? words.trim() : picked;
  const confirm = useAction(onConfirm);
  return (
    <Form
      onSubmit={() => {
        if (reason === '' || confirm.isPending) return;
        confirm.mutate(reason, { onSuccess: close });
      }}
    >
      <div className="quiet">{means}</div>
      {children}
      {reasons && (
        <Select
          label="Reason"
          isLabelShown
          items={[{ id: '', label: 'Choose a reason' }, ...reasons]}
          value={picked}
          onChange={setPicked}
        />
      )}
      {needsWords && (
        <ReasonInput label={reasons ? 'In words' : 'Reason'} value={words} onChange={setWords} />
      )}
      <Problem of={confirm.error} />
      <footer className="dialog-foot row">
        <Button onPress={close}>Cancel</Button>
        <Button tone={tone} type="submit" isPending={confirm.isPending} isDisabled={reason === ''}>
          {confirmLabel}
        </Button>
      </footer>
    </Form>
  );
}

type ReasonInputProps = {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

export function ReasonInput({ label = 'Reason', value, onChange }: ReasonInputProps) {
  return (
    <TextInput
      label={label}
      description="It is kept in the audit log. Do not write personal data."
      value={value}
      onChange={onChange}
      lines={2}
    />
  );
}
